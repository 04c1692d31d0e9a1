/**
 * A finding as texts, in the order in which it is told. The page, its document and the printed file set the same texts, each
 * in its own form.
 */
import { type Claim, MEASURES } from './claim';
import type { ClaimCondition, ComparedConditions, Finding } from './finding';
import { interval, meanIn, number, pInWords, rerunInWords, standingInWords, verdictInWords } from './findingWords';
import { RERUN_SEED } from './rerun';

/** A claim, its finding, and a person's answer; the answer is empty before the runs are in. */
export interface AnsweredClaim {
  readonly name: string;
  readonly claim: Claim;
  readonly finding: Finding;
  readonly answer: string;
}

/** Name of a finding's folder in a text. It has several words, because one alone could be any word of the text. */
const NAME = /(?<![\w/-])([a-z]+(?:-[a-z\d]+)+)(?![\w/-])/;

/** Pieces of a text, with the findings that it names in their places. */
export const namedIn = (text: string, asked: readonly AnsweredClaim[]): readonly (string | AnsweredClaim)[] =>
  text.split(NAME).map((piece) => asked.find(({ name }) => name === piece) ?? piece);

/** Columns of the comparisons. */
export const COMPARED = [
  'Comparison',
  'First',
  'Second',
  'Second − first, unpaired',
  'The same, seed by seed',
  'p, corrected',
  'Detectable gap',
  'Expected',
  'Standing',
] as const;

/** Columns of the conditions. */
export const SEEDS = ['Condition', 'Number of each seed', 'Trained on', 'Commit'] as const;

export interface ToldComparison {
  readonly compared: ComparedConditions;
  /** Row of the columns `COMPARED`. */
  readonly row: readonly string[];
}

export interface ToldCondition {
  readonly id: string;
  readonly link: string;
  /** Row of the columns `SEEDS`. */
  readonly row: readonly string[];
}

export interface ToldFinding {
  readonly question: string;
  readonly verdict: string;
  readonly answer: string;
  /** First sentence of the answer, for lists; empty before the runs are in. */
  readonly brief: string;
  /** Outcome of the runs with other seeds, in short; empty before the first runs are in. */
  readonly again: string;
  /** Caption of the comparisons. */
  readonly caption: string;
  /** Comparisons; none until all runs are in. */
  readonly comparisons: readonly ToldComparison[];
  /** Title of the expectations, and their sentences. */
  readonly when: string;
  readonly beforehand: readonly string[];
  readonly limits: readonly string[];
  /** Related work, each with its source. */
  readonly beside: readonly string[];
  readonly reruns: readonly string[];
  /** Runs, time and devices; null before the first run. */
  readonly spent: string | null;
  readonly conditions: readonly ToldCondition[];
  readonly files: string;
  /** Command that trains it again with other seeds. */
  readonly command: string;
}

export function tell({ name, claim, finding, answer }: AnsweredClaim): ToldFinding {
  const isPicture = claim.picture === true;
  const condition = (id: string): ClaimCondition | undefined => finding.conditions[id];
  const nameOf = (id: string): string => condition(id)?.name ?? id;
  const row = (one: ComparedConditions): string[] => [
    `${nameOf(one.first)} → ${nameOf(one.second)}`,
    meanIn(condition(one.first) ?? { values: [] }),
    meanIn(condition(one.second) ?? { values: [] }),
    interval(one.unpaired),
    interval(one.paired),
    pInWords(one.corrected),
    number(one.seen),
    isPicture ? '–' : one.expected,
    isPicture ? '–' : standingInWords(one),
  ];
  const between = (comparison: string): string => {
    const compared = claim.comparisons.find(({ id }) => id === comparison);
    return `“${nameOf(compared?.second ?? '')}” against “${nameOf(compared?.first ?? '')}”`;
  };
  return {
    question: claim.question,
    verdict: verdictInWords(finding, isPicture),
    answer,
    brief: /^.{12,}?[.?!](?= [A-Z]|$)/.exec(answer)?.[0] ?? answer,
    again: againInWords(finding),
    caption: `Means of ${claim.seeds} seeds: ${MEASURES[claim.measure].words}${othersInWords(claim, finding)}; 95% intervals in brackets; at least ${number(claim.least)} counts${overInWords(finding)}`,
    comparisons: (finding.comparisons ?? []).map((compared) => ({ compared, row: row(compared) })),
    when: claim.stated === undefined ? 'What was said beforehand' : 'What was said, and when',
    beforehand: [...(claim.stated === undefined ? [] : [claim.stated]), `Refuted by: ${claim.refuted}.`],
    limits: claim.limits,
    beside: claim.literature.map(({ says, source }) => `${says[0]?.toUpperCase()}${says.slice(1)} (${source}).`),
    reruns: finding.reruns.map(
      (rerun) =>
        `${between(rerun.comparison)}, seeds drawn from ${rerun.seed}. ${rerunInWords(rerun)} Unpaired: ${interval(rerun.unpaired)}.`,
    ),
    spent: finding.runs.done === 0 ? null : spentInWords([finding]),
    conditions: Object.entries(finding.conditions).map(([id, one]) => ({ id, link: one.link, row: conditionRow(one) })),
    files: `findings/${name}/claim.json, experiment.json and result.json`,
    command: `npm run findings -- --only ${name} --again ${RERUN_SEED}`,
  };
}

const othersInWords = ({ measure }: Claim, { conditions }: Finding): string =>
  Object.values(conditions).some((one) => one.measure !== measure) ? ', or what a row names instead' : '';

/** `. Over the 5 searches, each one number an arm: 0.42 → 0.58, …`; empty where the unit is a seed. */
function overInWords({ over }: Finding): string {
  if (over === undefined) return '';
  const [first, second] = [over.first, over.second].map((values) => meanIn({ values }));
  return `. Over the ${over.first.length} searches, each one number an arm: ${first} → ${second}, ${interval(over.unpaired)} unpaired, ${interval(over.paired)} search by search, p ${pInWords(over.p)}`;
}

function againInWords({ reruns, comparisons }: Finding): string {
  if (comparisons === null) return '';
  if (reruns.length === 0) return 'not repeated yet';
  const inside = reruns.filter(({ isInside }) => isInside).length;
  const verdict = inside === 1 ? 'reproduced' : 'not reproduced';
  const words = reruns.length === 1 ? verdict : `${inside} of ${reruns.length} reproduced`;
  const left = comparisons.length - reruns.length;
  return left > 0 ? `${words}, ${left} not repeated yet` : words;
}

function conditionRow({ name, arm, values, device, seconds, commits }: ClaimCondition): string[] {
  const arms = arm === null ? '' : `, arm ${arm}`;
  if (values.length === 0) return [`${name}${arms}`, 'not run yet', '', ''];
  const numbers = values.map(number).join(' ');
  const commit = commits.length === 0 ? 'not noted' : commits.join(', ');
  return [`${name}${arms}`, numbers, `${device}, ${minutes(seconds)} of one core`, commit];
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60);
  return `${count} ${count === 1 ? 'minute' : 'minutes'}`;
}

/** `24 runs, 47 minutes of one core on CPU (WebAssembly SIMD).` Runs that several findings share count once. */
export function spentInWords(findings: readonly Finding[]): string {
  const spent = new Map<string, ClaimCondition>();
  for (const condition of findings.flatMap(({ conditions }) => Object.values(conditions))) {
    const run = `${condition.link} ${condition.arm}`;
    if (condition.seeds.length > (spent.get(run)?.seeds.length ?? 0)) spent.set(run, condition);
  }
  const trained = [...spent.values()];
  const runs = trained.reduce((sum, { seeds }) => sum + seeds.length, 0);
  const devices = [...new Set(trained.map(({ device }) => device))].join(', ');
  return `${runs} runs, ${minutes(trained.reduce((sum, { seconds }) => sum + seconds, 0))} of one core on ${devices}.`;
}
