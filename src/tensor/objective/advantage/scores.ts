/** One normalised score a trajectory, from its rewards; and the group table. */
import type { FloatData } from '../../backend';
import { GROUP, GROUP_COLUMNS, OUTCOME } from '../../columns';
import { keptGroups } from './filter';
import { type AdvantageMember, trajectoriesOfGroup } from './member';
import type { AdvantageOptions } from './options';
import { deviationOf, divisorOfSpread, reciprocal, type Spread, spreadOf } from './spread';

/** Normalised score of a trajectory: shaped = (reward + added − baseline)·factor; with normalised parts, their sum. */
export interface Shaped {
  readonly shaped: number;
  readonly baseline: number;
  readonly factor: number;
  /** Prediction reward less length penalty; under credit outcome also less the KL. */
  readonly added: number;
  /** True if its tokens have an advantage: it was scored, is usable, and its group is kept. */
  readonly used: boolean;
  readonly group: number;
}

/** Normalised scores, one a trajectory. Also writes the group table [groups, GROUP_COLUMNS]. */
export function shapedScores(member: AdvantageMember, table: FloatData): Shaped[] {
  const { options, B, groups, outcome } = member;
  const rewards = Array.from({ length: B }, (_, b) => rewardOf(member, b));
  const scores = rewards.map((reward, b) => scoreOf(member, b, reward));
  const counted = scores.map((score, b) => !Number.isNaN(score) && outcome(b, OUTCOME.usable) !== 0);
  const spreads = Array.from({ length: groups }, (_, g) => {
    const inGroup = trajectoriesOfGroup(member, g).filter((b) => counted[b]);
    penaliseLength(member, scores, inGroup);
    return spreadOf(inGroup.map((b) => scores[b]));
  });
  const deviations = spreads.map((spread) => deviationOf(spread, options.advantageDeviation));
  const ofRewards = spreads.map((_, g) =>
    spreadOf(
      trajectoriesOfGroup(member, g)
        .filter((b) => counted[b])
        .map((b) => rewards[b]),
    ),
  );
  const kept = keptGroups(options, ofRewards, deviations);
  const used: number[] = [];
  ofRewards.forEach((spread, g) => {
    table.fill(0, g * GROUP_COLUMNS, (g + 1) * GROUP_COLUMNS);
    table[g * GROUP_COLUMNS + GROUP.mean] = spread.mean;
    table[g * GROUP_COLUMNS + GROUP.deviation] = deviations[g];
    table[g * GROUP_COLUMNS + GROUP.equal] = Number(spread.equal);
    table[g * GROUP_COLUMNS + GROUP.kept] = Number(kept[g]);
    if (kept[g]) used.push(...trajectoriesOfGroup(member, g).filter((b) => counted[b]));
  });

  const shaped = new Array<Shaped>(B);
  for (let g = 0; g < groups; g++) {
    const all = trajectoriesOfGroup(member, g).filter((b) => counted[b]);
    const spread = spreads[g];
    for (const b of trajectoriesOfGroup(member, g)) {
      const score = scores[b];
      const added = score - rewards[b];
      if (!counted[b]) {
        // Trajectory that is not counted: its advantage is 0. Its returns still come from its score, except with credit
        // outcome, where they are 0 too.
        const own = Number.isNaN(score) ? 0 : score;
        shaped[b] = { shaped: own, baseline: 0, factor: 1, added, used: false, group: g };
      } else if (options.rewardSource === 'normalised-parts') {
        const own = normalisedParts(member, b, all) - klInScore(member, b);
        shaped[b] = { shaped: own, baseline: 0, factor: 1, added, used: kept[g], group: g };
      } else {
        // Turns are compared by their own rewards; the score itself is taken.
        const isOfTurns = options.advantageCredit === 'turn-rewards';
        const own = isOfTurns ? { baseline: 0, factor: 1 } : baselineOf(member, b, all, scores, used, spread);
        const factor = isOfTurns ? 1 : own.factor * scaleOf(member, b, scores, used, spread);
        const { baseline } = own;
        const shapedScore = (score - baseline) * factor;
        shaped[b] = { shaped: shapedScore, baseline, factor, added, used: kept[g], group: g };
      }
    }
  }
  return shaped;
}

const klInScore = ({ options, trajectories }: AdvantageMember, b: number): number =>
  options.advantageCredit === 'outcome' ? options.rewardKl * (trajectories[b]?.kl ?? 0) : 0;

/** Reward of a trajectory: sum of its token rewards, or of its weighted parts; NaN if no such part could be scored. */
function rewardOf({ options, trajectories, outcome }: AdvantageMember, b: number): number {
  if (options.rewardSource === 'tokens') return trajectories[b]?.reward ?? 0;
  let [sum, weighted, scored] = [0, 0, 0];
  options.partWeights.forEach((weight, k) => {
    if (weight === 0) return;
    weighted += 1;
    const part = outcome(b, OUTCOME.part + k);
    if (Number.isNaN(part)) return;
    scored += 1;
    sum += weight * part;
  });
  return scored === 0 && weighted > 0 ? Number.NaN : sum;
}

function scoreOf(member: AdvantageMember, b: number, reward: number): number {
  const { options, trajectories } = member;
  if (options.rewardSource === 'normalised-parts') return reward;
  const prediction = options.rewardSource === 'tokens' ? (trajectories[b]?.prediction ?? 0) : 0;
  return reward + prediction - klInScore(member, b);
}

/**
 * Length penalty of one group: score −= mean score · Σ weight·x/(largest x of the group). x: number of tokens whose role
 * is action, of other tokens, of turns.
 */
function penaliseLength(
  { options, trajectories, outcome }: AdvantageMember,
  scores: number[],
  all: readonly number[],
): void {
  if (options.lengthPenalty.every((weight) => weight === 0)) return;
  const { mean } = spreadOf(all.map((b) => scores[b]));
  const columns = [
    (b: number) => trajectories[b]?.actions ?? 0,
    (b: number) => trajectories[b]?.input ?? 0,
    (b: number) => outcome(b, OUTCOME.turns),
  ];
  const penalties = all.map(() => 0);
  columns.forEach((column, k) => {
    const weight = options.lengthPenalty[k] * reciprocal(Math.max(0, ...all.map(column)));
    all.forEach((b, i) => {
      penalties[i] += weight * column(b);
    });
  });
  all.forEach((b, i) => {
    scores[b] -= mean * penalties[i];
  });
}

const GROUP_BASELINES: readonly AdvantageOptions['advantageBaseline'][] = [
  'group-mean',
  'leave-one-out',
  'length-weighted-mean',
  'second-best',
];

/** Baseline of the score, and a factor of the difference that comes before the scale. */
function baselineOf(
  { options, trajectories, outcome }: AdvantageMember,
  b: number,
  all: readonly number[],
  scores: readonly number[],
  used: readonly number[],
  spread: Spread,
): { readonly baseline: number; readonly factor: number } {
  const { advantageBaseline: baseline } = options;
  if (all.length === 1 && (GROUP_BASELINES.includes(baseline) || options.isOptimalToken)) {
    return { baseline: 0, factor: options.singletonGroup === 'raw' ? 1 : 0 };
  }
  const n = all.length;
  switch (baseline) {
    case 'group-mean':
      return { baseline: spread.mean, factor: 1 };
    case 'leave-one-out':
      return { baseline: spread.mean, factor: n / (n - 1) };
    case 'length-weighted-mean': {
      if (spread.equal) return { baseline: spread.mean, factor: 1 };
      const length = (other: number) => trajectories[other]?.length ?? 0;
      const total = all.reduce((sum, other) => sum + length(other), 0);
      const weighted = all.reduce((sum, other) => sum + length(other) * scores[other], 0);
      return { baseline: weighted * reciprocal(total), factor: 1 };
    }
    case 'second-best': {
      const best = all.reduce((a, c) => (scores[c] > scores[a] ? c : a));
      const scoresOfOthers = all.filter((other) => other !== best).map((other) => scores[other]);
      return { baseline: Math.max(...scoresOfOthers), factor: b === best ? 1 : 0 };
    }
    case 'batch-mean':
      return { baseline: spreadOf(used.map((other) => scores[other])).mean, factor: 1 };
    case 'greedy':
      // Under reward-to-go, index.ts subtracts it from every token's advantage instead.
      return { baseline: options.advantageCredit === 'outcome' ? outcome(b, OUTCOME.baseline) : 0, factor: 1 };
    default:
      return { baseline: 0, factor: 1 };
  }
}

/** Factor 1/divisor of a score, by advantageScale. */
function scaleOf(
  { options, outcome }: AdvantageMember,
  b: number,
  scores: readonly number[],
  used: readonly number[],
  spread: Spread,
): number {
  const { advantageDeviation: deviation, advantageEpsilon: epsilon } = options;
  const over = (some: readonly number[]): number =>
    reciprocal(divisorOfSpread(spreadOf(some.map((other) => scores[other])), deviation, epsilon));
  switch (options.advantageScale) {
    case 'none':
      return 1;
    case 'group-deviation':
      return groupScale(options, spread);
    case 'batch-deviation':
      return over(used);
    case 'environment-deviation': {
      const environment = outcome(b, OUTCOME.environment);
      return over(used.filter((other) => outcome(other, OUTCOME.environment) === environment));
    }
    case 'group-mean':
      return spread.mean > 0 ? reciprocal(spread.mean + epsilon) : 0;
    case 'nonzero-share': {
      const nonzero = used.filter((other) => scores[other] !== 0).length;
      return used.length / Math.max(nonzero, 1);
    }
  }
}

/** 1/divisor of a group. A single trajectory has no deviation: 1/(1 + ε) under singletonGroup raw, else 0. */
function groupScale(options: AdvantageOptions, spread: Spread): number {
  const { advantageDeviation: deviation, advantageEpsilon: epsilon, singletonGroup } = options;
  if (spread.count > 1) return reciprocal(divisorOfSpread(spread, deviation, epsilon));
  return singletonGroup === 'raw' ? 1 / (1 + epsilon) : 0;
}

/** Σ weight·(part − mean)/deviation over the parts that could be scored; mean and deviation are the group's. */
function normalisedParts({ options, outcome }: AdvantageMember, b: number, inGroup: readonly number[]): number {
  let sum = 0;
  options.partWeights.forEach((weight, k) => {
    const part = outcome(b, OUTCOME.part + k);
    if (weight === 0 || Number.isNaN(part)) return;
    const spread = spreadOf(inGroup.map((other) => outcome(other, OUTCOME.part + k)).filter((x) => !Number.isNaN(x)));
    const alone = spread.count === 1;
    const centred = alone && options.singletonGroup === 'raw' ? part : part - spread.mean;
    sum += weight * centred * (options.advantageScale === 'group-deviation' ? groupScale(options, spread) : 1);
  });
  return sum;
}
