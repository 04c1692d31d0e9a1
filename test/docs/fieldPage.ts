/** docs/field.md, written from the lists that the page's place “Methods” shows. */
import type { Method } from '../../src/ui/places/library/methods/method';
import { METHOD_GROUPS } from '../../src/ui/places/library/methods/methods';
import { sourcesOf } from '../../src/ui/places/library/methods/sources';
import { wordsOf } from '../../src/ui/places/library/methods/where';

const HEAD = `# The field, by name

For people who know a method by its name. What papers on agentic reinforcement learning name, each with where it is in the lab, its
source, and what differs. In the page this is the place “Methods”: any word below finds it there, and each setting, objective, experiment
or formula is a link, which opens it beside the same arm without it. Whether it helps is for you to see: nothing is claimed here.

Written by \`npx vitest run test/docs/field.test.ts -u\` from \`src/ui/places/library/methods\`; the test fails where the two differ, or a
link of the page leads nowhere.
`;

/** Signs that Markdown would take for its own. */
const plain = (text: string): string => text.replaceAll('*', '\\*').replaceAll('_', '\\_');

const linked = (words: string, href: string): string =>
  `[${plain(words)}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`;

function item({ name, also, line, where, differs, source }: Method): string {
  const names = also.length === 0 ? `**${plain(name)}**` : `**${plain(name)}** (${plain(also.join('; '))})`;
  const here = plain(where.map(wordsOf).join(', '));
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
