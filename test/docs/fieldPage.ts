/** docs/field.md, written from the lists that the page's place “Methods” shows. */
import type { Method } from '../../src/ui/pages/methods/method';
import { METHOD_GROUPS } from '../../src/ui/pages/methods/methods';
import { sourcesOf } from '../../src/ui/pages/methods/sources';
import { fragmentTo, wordsOf } from '../../src/ui/pages/methods/where';

/** Address at which `npm start` serves the lab. */
const LAB = 'http://localhost:4173/';

const HEAD = `# The field, by name

Systems and mechanisms that papers on agentic reinforcement learning name, each with where it is in the lab, its source, and what
differs. In the page they are the place “Methods”, with a search: any name or word below finds it. Links open the lab where
\`npm start\` serves it. An objective or a setting opens beside the same arm without it; whether it helps is for you to see, and
nothing is claimed here.

Written by \`npx vitest run test/docs/field.test.ts -u\` from \`src/ui/pages/methods\`; the test fails where the two differ, or a link
leads nowhere.
`;

/** Signs that Markdown would take for its own. */
const plain = (text: string): string => text.replaceAll('*', '\\*').replaceAll('_', '\\_');

const linked = (words: string, href: string): string =>
  `[${plain(words)}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`;

function item({ name, also, line, where, differs, source }: Method): string {
  const names = also.length === 0 ? `**${plain(name)}**` : `**${plain(name)}** (${plain(also.join('; '))})`;
  const here = where.map((one) => linked(wordsOf(one), LAB + fragmentTo(one))).join(', ');
  const sources = sourcesOf(source).map(({ words, href }) => (href === null ? words : linked(words, href)));
  const said = [
    `${names}: ${plain(line)}`,
    here === '' ? 'Not here.' : `In the lab: ${here}.`,
    ...(differs === '' ? [] : [plain(differs)]),
    `Source: ${sources.join(', ')}.`,
  ];
  return `- ${said.join(' ')}`;
}

export function fieldPage(): string {
  const groups = METHOD_GROUPS.map(({ title, methods }) => `## ${title}\n\n${methods.map(item).join('\n')}\n`);
  return [HEAD, ...groups].join('\n');
}
