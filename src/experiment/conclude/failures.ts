/**
 * Seven common failures of reinforcement learning with agents, each as a criterion over a seed's curves: one number, two
 * thresholds, and an exception. Thresholds were measured on the lab's own experiments (docs/decisions/evidence.md).
 */

/** Curves that criteria use, named as in rl/measure/metrics.ts. */
export type HealthMetric =
  | 'successRate'
  | 'return'
  | 'observationCrossEntropy'
  | 'entropy'
  | 'allSolvedGroups'
  | 'zeroVarianceGroups'
  | 'trajectoryTokens'
  | 'warningShare'
  | 'repeatedActions';

/** Input of a criterion: means of one seed's curves (NaN where nothing was measured), and two facts of its arm. */
export interface Symptoms {
  /** Mean over the failure's window: the last updates. */
  now(metric: HealthMetric): number;
  /** Mean over the first BEGINNING updates. */
  first(metric: HealthMetric): number;
  /** Words of the vocabulary, before padding. */
  readonly words: number;
  /** Gain in the arm's return when an episode succeeds instead of failing. */
  readonly worthOfSuccess: number;
}

export interface FailureSign {
  readonly id: string;
  readonly title: string;
  /** The curve on which it is seen. */
  readonly chart: HealthMetric;
  /** Updates averaged; until a run has that many, a light is at most a warning. */
  readonly window: number;
  /** Meaning of `value`, and its unit: a share of 1, a multiple of something, or reward. */
  readonly measures: string;
  readonly unit: 'share' | 'times' | 'reward';
  value(symptoms: Symptoms): number;
  /** Bad side of the thresholds. */
  readonly worse: 'above' | 'below';
  readonly warning: number;
  readonly failing: number;
  /** Condition under which the same number is no failure; null if there is none. */
  readonly unless: { readonly words: string; holds(symptoms: Symptoms): boolean } | null;
  readonly why: string;
  readonly cure: string;
}

export const BEGINNING = 10;
const WINDOW = 20;
/** Window for silent groups: longer, because they end by themselves where success is merely rare. */
const LONG_WINDOW = 50;

const rise = ({ now, first }: Symptoms, metric: HealthMetric): number => now(metric) - first(metric);

export const FAILURES = [
  {
    id: 'mask-leak',
    title: 'Surprise explosion',
    chart: 'observationCrossEntropy',
    window: WINDOW,
    measures:
      'Surprise at the world’s answers (cross-entropy), as a multiple of what blind guessing among all words would have',
    unit: 'times',
    value: ({ now, words }) => now('observationCrossEntropy') / Math.log(words),
    worse: 'above',
    warning: 2,
    failing: 3,
    unless: {
      words: 'it has not risen by a tenth since the beginning',
      holds: ({ now, first }) => now('observationCrossEntropy') < 1.1 * first('observationCrossEntropy'),
    },
    why: 'Without a mask, or where it leaks, policy gradient reaches tokens the environment wrote: where an episode went badly, what the world truly said is made less likely, without end.',
    cure: 'Mask observations and warnings out of the policy gradient; to learn from them, predict them instead.',
  },
  {
    id: 'reward-hacking',
    title: 'Reward hacking',
    chart: 'return',
    window: WINDOW,
    measures: 'The rise of return since the beginning, where one success more is worth 1',
    unit: 'reward',
    value: (symptoms) => rise(symptoms, 'return') / symptoms.worthOfSuccess,
    worse: 'above',
    warning: 0.1,
    failing: 0.2,
    unless: {
      words: 'success rose by at least a quarter of it',
      holds: (symptoms) => 4 * rise(symptoms, 'successRate') >= rise(symptoms, 'return') / symptoms.worthOfSuccess,
    },
    why: 'The grader pays for something else than the task, and that is easier to get: the policy learns what is paid.',
    cure: 'Pay for the outcome alone, or so little for anything else that it never outweighs a success.',
  },
  {
    id: 'length',
    title: 'Length explosion',
    chart: 'trajectoryTokens',
    window: WINDOW,
    measures: 'Tokens of an episode, as a multiple of what they were at the beginning',
    unit: 'times',
    value: ({ now, first }) => now('trajectoryTokens') / first('trajectoryTokens'),
    worse: 'above',
    warning: 1.25,
    failing: 1.5,
    unless: { words: 'success rose by 10 points', holds: (symptoms) => rise(symptoms, 'successRate') >= 0.1 },
    why: 'Something favours longer episodes whatever they achieve: a bonus, a mean over each episode’s own length, or a deviation that makes small differences of failed groups large.',
    cure: 'Take the bonus out, do not divide by the deviation (Dr. GRPO), average over all tokens, or charge for overlong episodes.',
  },
  {
    id: 'missing-tools',
    title: 'Missing tools',
    chart: 'warningShare',
    window: WINDOW,
    measures: 'Turns the environment warned of: malformed actions and calls of tools that do not exist',
    unit: 'share',
    value: ({ now }) => now('warningShare'),
    worse: 'above',
    warning: 0.1,
    failing: 0.2,
    unless: null,
    why: 'Nothing in the reward tells a malformed action from one that was merely useless, while entropy and noise push probability to words that are no actions.',
    cure: 'Pay a little for well-formed turns, begin from demonstrations, lower the entropy bonus, or decode legal actions only.',
  },
  {
    id: 'loops',
    title: 'Loops',
    chart: 'repeatedActions',
    window: WINDOW,
    measures: 'Turns that do again what was already done after the same observation',
    unit: 'share',
    value: ({ now }) => now('repeatedActions'),
    worse: 'above',
    warning: 0.4,
    failing: 0.5,
    unless: null,
    why: 'Staying where one is costs nothing, or even pays: the same action brings the same answer, and the same answer the same action.',
    cure: 'Charge for repeated actions, or stop paying for what a standstill gives.',
  },
  {
    id: 'no-variance',
    title: 'Silent groups',
    chart: 'zeroVarianceGroups',
    window: LONG_WINDOW,
    measures: 'Groups whose episodes were all rewarded alike, without those that were all solved',
    unit: 'share',
    value: ({ now }) => Math.max(0, now('zeroVarianceGroups') - now('allSolvedGroups')),
    worse: 'above',
    warning: 0.8,
    failing: 0.9,
    unless: null,
    why: 'A group teaches by its differences: where every episode fails alike, all advantages are 0 and the policy gradient is silent.',
    cure: 'Reward that tells failures apart (progress, subgoals), larger groups, or tasks that are sometimes solved.',
  },
  {
    id: 'entropy-collapse',
    title: 'Entropy collapse',
    chart: 'entropy',
    window: WINDOW,
    measures: 'Entropy of actions, as a share of what it was at the beginning',
    unit: 'share',
    value: ({ now, first }) => now('entropy') / first('entropy'),
    worse: 'below',
    warning: 0.2,
    failing: 0.1,
    unless: { words: 'at least half of the episodes succeed', holds: ({ now }) => now('successRate') >= 0.5 },
    why: 'The policy has settled before it found what works, and no longer tries anything else.',
    cure: 'An entropy bonus, smaller steps, or more room to rise for what is unlikely (clip higher).',
  },
] as const satisfies readonly FailureSign[];

export type FailureId = (typeof FAILURES)[number]['id'];
