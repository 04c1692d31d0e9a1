/** findings/README.md: every claim with what came of it and how, made from claims and results. */
import type { Finding } from '../../experiment/findings/finding';
import { methodsOf } from '../../experiment/findings/methods';
import { COMPARED, type Told, tell } from '../../experiment/findings/told';
import { table } from './markdown';
import type { Plan } from './plan';

export interface Judged {
  readonly plan: Plan;
  readonly finding: Finding;
}

const HEAD = `# Findings

Written by \`npm run findings -- --report\` from the claims and the recorded runs. A claim and its experiment are committed before
anything of it is run; \`npm run findings -- --only NAME\` trains what is missing, \`--again SEED\` trains it once more with other
seeds and says whether it came out the same. Nothing that was recorded is left out, and nothing is judged before all runs of a
claim are in. The page’s place “Findings” saves all of this with its figures as one HTML file, for paper.
`;

export function cards(judged: readonly Judged[]): string {
  const isRun = ({ finding }: Judged): boolean => finding.comparisons !== null;
  const asked = judged.map(({ plan: { claim }, finding }) => ({ claim, finding }));
  const methods = methodsOf(asked).map(({ title, text }) => `- **${title}.** ${text}`);
  const all = [...judged.filter(isRun), ...judged.filter((one) => !isRun(one))];
  return [HEAD, ...all.map(card), '## Methods', '', ...methods, ''].join('\n');
}

/** Table of what came of every claim, for the lab's README: the answer, and the comparison that a rerun is judged by. */
export function overview(judged: readonly Judged[]): string {
  const rows = judged.map(({ plan: { name, claim }, finding }) => {
    const told = tell(name, claim, finding);
    const says = told.comparisons.find(({ compared }) => compared.id === claim.rerun.comparison)?.says ?? '';
    return [`[${claim.question}](findings/${name}/claim.json)`, `${told.answer} ${says}`.trim()];
  });
  return table([['question', 'what came of it'], ...rows]).join('\n');
}

function card({ plan: { name, claim }, finding }: Judged): string {
  const told = tell(name, claim, finding);
  return [
    `## ${told.question}`,
    '',
    `\`${name}\` · ${told.answer}`,
    '',
    ...comparedIn(told),
    ...told.reruns.map((one) => `- ${one}`),
    ...(told.spent === null ? [] : [`- ${told.spent}`]),
    ...told.beforehand.map((one) => `- ${one}`),
    ...told.limits.map((limit) => `- Limit: ${limit}`),
    ...told.beside.map((one) => `- Related work: ${one}`),
    '',
  ].join('\n');
}

function comparedIn({ comparisons }: Told): string[] {
  if (comparisons.length === 0) return [];
  const rows = comparisons.map(({ row }) => row);
  return [...table([COMPARED, ...rows]), '', ...comparisons.map(({ says, power }) => `- ${says} ${power}`)];
}
