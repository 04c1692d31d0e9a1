/** findings/README.md: every claim with what came of it, made from claims and results. */
import type { Claim } from '../../experiment/findings/claim';
import type { Finding } from '../../experiment/findings/finding';
import {
  answerInWords,
  comparedInWords,
  interval,
  meanIn,
  number,
  pInWords,
  powerInWords,
  rerunInWords,
  ruleInWords,
  standingOf,
} from '../../experiment/findings/words';
import { table } from './markdown';
import type { Plan } from './plan';

interface Judged {
  readonly plan: Plan;
  readonly finding: Finding;
}

const HEAD = `# Findings

Written by \`npm run findings -- --report\` from the claims and the recorded runs. A claim and its experiment are committed before
anything of it is run; \`npm run findings -- --only NAME\` trains what is missing, \`--again SEED\` trains it once more with other
seeds and says whether it came out the same. Nothing that was recorded is left out, and nothing is judged before all runs of a
claim are in.
`;

export function cards(judged: readonly Judged[]): string {
  const isRun = ({ finding }: Judged): boolean => finding.comparisons !== null;
  return [HEAD, ...judged.filter(isRun).map(card), ...judged.filter((one) => !isRun(one)).map(card)].join('\n');
}

function card({ plan: { name, claim }, finding }: Judged): string {
  return [
    `## ${claim.question}`,
    '',
    `\`${name}\` · ${answerInWords(finding, claim)}`,
    '',
    ...told(claim, finding),
    ...expectations(claim, finding).map((one) => `- Expected: ${one}`),
    `- ${ruleInWords(claim)}`,
    `- Refuted by: ${claim.refuted}`,
    ...(claim.stated === undefined ? [] : [`- ${claim.stated}`]),
    ...claim.limits.map((limit) => `- Limit: ${limit}`),
    ...claim.literature.map(({ says, source }) => `- Beside it: ${says} (${source})`),
    '',
  ].join('\n');
}

function expectations({ comparisons }: Claim, { conditions }: Finding): string[] {
  const name = (id: string): string => conditions[id]?.name ?? id;
  return comparisons.map(({ first, second, expected }) => `${name(second)} ${expected} ${name(first)}.`);
}

function told(claim: Claim, finding: Finding): string[] {
  const { comparisons, conditions, reruns } = finding;
  if (comparisons === null) return [];
  const rows = comparisons.map((one) => [
    one.id,
    `${conditions[one.first]?.name} → ${conditions[one.second]?.name}`,
    meanIn(conditions[one.first] ?? { values: [] }),
    meanIn(conditions[one.second] ?? { values: [] }),
    interval(one.unpaired),
    interval(one.paired),
    pInWords(one.corrected),
    number(one.seen),
    standingOf(one, claim),
  ]);
  const columns = [
    'comparison',
    'of',
    'first',
    'second',
    'difference, unpaired',
    'seed by seed',
    'p',
    'seen',
    'standing',
  ];
  const seconds = Object.values(conditions).reduce((sum, one) => sum + one.seconds, 0);
  const devices = [...new Set(Object.values(conditions).map(({ device }) => device))].join(', ');
  return [
    ...table([columns, ...rows]),
    '',
    ...comparisons.map((one) => `- ${comparedInWords(one, finding, claim)} ${powerInWords(one, finding)}`),
    ...reruns.map((one) => `- Seeds drawn from ${one.seed}: ${rerunInWords(one)}`),
    `- ${finding.runs.done} runs, ${Math.ceil(seconds / 60)} minutes of one core on ${devices}.`,
  ];
}
