/**
 * Documents made from claims, answers and results: findings/README.md with a line of every claim, and a card in each one's folder.
 */
import { methodsOf } from '../../experiment/findings/methods';
import { type AnsweredClaim, COMPARED, type ToldFinding, tell } from '../../experiment/findings/told';
import { table } from './markdown';

const HEAD = `# Findings

For people who ask what was found, and how sure it is.

Written by \`npm run findings -- --report\` from the claims, the recorded runs, and the answers that a person wrote
(\`answers.json\`; a test looks up each of their numbers). A claim and its experiment are committed before anything of it is run;
where runs were known before, the claim says so. \`npm run findings -- --only NAME\` trains what is missing, \`--again SEED\` trains
it once more with other seeds and says whether it came out the same. Claims and reruns are judged when all of their runs are in,
not before, and every claim is told: its verdict leads to its card, with comparisons, reruns and limits. The page’s place “Findings”
saves all of them with their figures as one HTML file, for paper.
`;

export function overviewOf(claims: readonly AnsweredClaim[]): string {
  const isRun = ({ finding }: AnsweredClaim): boolean => finding.comparisons !== null;
  const methods = methodsOf(claims).map(({ title, text }) => `- **${title}.** ${text}`);
  const sorted = [...claims.filter(isRun), ...claims.filter((one) => !isRun(one))];
  return [HEAD, ...overview(sorted), '', '## Methods', '', ...methods, ''].join('\n');
}

/** Table of all claims: question, verdict with a link to its card, verdict on reruns, and the answer's first sentence. */
function overview(claims: readonly AnsweredClaim[]): string[] {
  const rows = claims.map((one) => {
    const { question, verdict, brief, again } = tell(one);
    return [question, `[${verdict}](${one.name}/README.md)`, again, brief];
  });
  return table([['question', 'verdict', 'run again', 'answer'], ...rows]);
}

export function card(claim: AnsweredClaim): string {
  const telling = tell(claim);
  return [
    `# ${claim.name}`,
    '',
    telling.question,
    '',
    `**${telling.verdict[0]?.toUpperCase()}${telling.verdict.slice(1)}.**`,
    '',
    ...(telling.answer === '' ? [] : [telling.answer, '']),
    ...linesOf(telling),
    ...telling.reruns.map((text) => `- ${text}`),
    ...(telling.spent === null ? [] : [`- ${telling.spent}`]),
    ...telling.beforehand.map((text) => `- ${text}`),
    ...telling.limits.map((limit) => `- Limit: ${limit}`),
    ...telling.beside.map((text) => `- Related work: ${text}`),
    '- All findings, and the methods: [findings](../README.md).',
    '',
  ].join('\n');
}

function linesOf({ caption, comparisons }: ToldFinding): string[] {
  if (comparisons.length === 0) return [];
  return [...table([COMPARED, ...comparisons.map(({ row }) => row)]), '', `${caption}.`, ''];
}
