/**
 * Metrics from an update's readback, one row of METRICS a member. Definitions are in metrics.ts. An undefined value (no such
 * token, not measured this time) is NaN.
 */
import type { Environment } from '../../environments/environment';
import { PART_IDS } from '../../environments/mixture/settings';
import { DRAWN, ROLE, ROLES, type Role } from '../../foundation/roles';
import { REWARD_PART_IDS } from '../../hyperparameters/rewards';
import { GROUP, GROUP_COLUMNS, REWARD_PARTS, TERM, TERM_COLUMNS } from '../../tensor/columns';
import type { Collected } from '../play/collection';
import type { Replayed } from '../play/replay';
import type { Trajectories } from '../play/trajectories';
import type { UpdateReadback } from '../updateContract';
import { isComparable } from './cosine';
import { diagnose } from './diagnostics';
import { METRIC, METRICS, type MetricName, REWARD_METRICS, worldSuccess } from './metrics';
import { textShares } from './texts';

/** Metrics of the rollout alone, [P] each, taken before the trajectories are overwritten. */
export interface RolloutSummary {
  readonly means: ReadonlyMap<MetricName, Float64Array>;
  readonly members: number;
  readonly tokens: number;
}

/** Conditions on the share of a group's trajectories that succeeded. */
const GROUP_OUTCOMES = [
  ['allFailedGroups', (solved: number) => solved === 0],
  ['mixedGroups', (solved: number) => solved > 0 && solved < 1],
  ['allSolvedGroups', (solved: number) => solved === 1],
] as const satisfies readonly (readonly [MetricName, (solved: number) => boolean])[];

/** Summary of a rollout. noisy [P]: true where a member's verifier may err. */
export function summariseRollout(
  trajectories: Trajectories,
  noisy: readonly boolean[],
  collected: Collected,
  { parts: mixed = [], toolWords = [], texts }: Pick<Environment, 'parts' | 'toolWords' | 'texts'>,
): RolloutSummary {
  const { members, count, lengths, rewards, successes, turns, validShare, parts, flips, floors } = trajectories;
  const mean = (value: (trajectory: number) => number): Float64Array => {
    const means = new Float64Array(members);
    for (let i = 0; i < members * count; i++) {
      const member = Math.floor(i / count);
      means[member] += value(i) / count;
    }
    return means;
  };
  const of = (values: ArrayLike<number>) => (i: number) => values[i];
  const solved = solvedShares(trajectories);
  const calls = toolCalls(trajectories, toolWords);
  const { repeatedWords, saidBack } = textShares(trajectories, texts);
  const anchors = anchorSizes(trajectories);
  const observations = mean((i) => trajectories.observationTokens(i));
  const means = new Map<MetricName, Float64Array>([
    ['successRate', mean(of(successes))],
    ['observationFloor', mean(of(floors)).map((nats, member) => nats / observations[member])],
    ['tasksConsumed', collected.tasks],
    ['return', mean(of(rewards))],
    ['trajectoryTokens', mean(of(lengths))],
    ['turns', mean(of(turns))],
    ['warningShare', mean((i) => 1 - validShare[i])],
    ['repeatedActions', mean((i) => trajectories.repeatedShare(i))],
    ['anchorSize', Float64Array.from(anchors, (own) => own.reduce((sum, size) => sum + size, 0) / own.length)],
    ['anchorAlone', shareOf(anchors, (size) => size === 1)],
    ['turnCap', collected.turnCaps],
    ['toolCalls', calls.count],
    ['toolCallTurn', calls.turn],
    ['repeatedWords', repeatedWords],
    ['saidBack', saidBack],
    ['verifierFlips', mean((i) => (noisy[Math.floor(i / count)] ? flips[i] : Number.NaN))],
    ...PART_IDS.map((world) => {
      const part = mixed.findIndex(({ id }) => id === world);
      return [worldSuccess(world), successIn(trajectories, part)] as const;
    }),
    ...GROUP_OUTCOMES.map(([metric, holds]) => [metric, shareOf(solved, holds)] as const),
    ...REWARD_PART_IDS.map((part, k) => [REWARD_METRICS[part], mean((i) => parts[i * REWARD_PARTS + k])] as const),
  ]);
  return { means, members, tokens: lengths.reduce((sum, length) => sum + length, collected.tokensGivenUp) };
}

/** Calls of a tool in a trajectory, [P], NaN without a tool, and the mean turn of a call, [P], NaN without calls. */
function toolCalls(trajectories: Trajectories, toolWords: readonly number[]): Record<'count' | 'turn', Float64Array> {
  const { members, count } = trajectories;
  const [calls, turns] = [new Float64Array(members), new Float64Array(members)];
  if (toolWords.length === 0) return { count: calls.fill(Number.NaN), turn: turns.fill(Number.NaN) };
  const words = new Set(toolWords);
  for (let i = 0; i < members * count; i++) {
    trajectories.firstWords(i).forEach((word, turn) => {
      if (!words.has(word)) return;
      calls[Math.floor(i / count)] += 1;
      turns[Math.floor(i / count)] += turn + 1;
    });
  }
  return { count: calls.map((sum) => sum / count), turn: turns.map((sum, member) => sum / calls[member]) };
}

/** Number of turns of a turn's group, itself among them, that began in the same state, for each turn [P][turns]. */
function anchorSizes({ members, count, maxTurns, turns, anchors, tasks }: Trajectories): number[][] {
  return Array.from({ length: members }, (_, member) => {
    const groupSize = count / tasks[member].length;
    return tasks[member].flatMap((_, group) => {
      const sizes = new Map<number, number>();
      const first = member * count + group * groupSize;
      const states = Array.from({ length: groupSize }, (_, i) =>
        Array.from(anchors.subarray((first + i) * maxTurns, (first + i) * maxTurns + turns[first + i])),
      ).flat();
      for (const state of states) sizes.set(state, (sizes.get(state) ?? 0) + 1);
      return states.map((state) => sizes.get(state) ?? 0);
    });
  });
}

/** Success rate over the trajectories played in one part of a mixture, [P]; NaN where there are none. */
function successIn({ members, count, environments, successes }: Trajectories, part: number): Float64Array {
  const [solved, played] = [new Float64Array(members), new Float64Array(members)];
  environments.forEach((environment, i) => {
    if (environment !== part) return;
    const member = Math.floor(i / count);
    played[member] += 1;
    solved[member] += successes[i];
  });
  return solved.map((sum, member) => sum / played[member]);
}

/** Share of each group's trajectories that succeeded, [P][groups]. */
function solvedShares({ count, successes, tasks }: Trajectories): number[][] {
  return tasks.map(({ length: groups }, member) => {
    const groupSize = count / groups;
    return Array.from({ length: groups }, (_, group) => {
      const first = member * count + group * groupSize;
      return successes.subarray(first, first + groupSize).reduce((sum, success) => sum + success, 0) / groupSize;
    });
  });
}

/** Share of each member's values for which `holds` is true, [P]. */
function shareOf(values: readonly (readonly number[])[], holds: (value: number) => boolean): Float64Array {
  return Float64Array.from(values, (own) => own.filter(holds).length / own.length);
}

/** True where a measurement of every few updates is due. */
export const isDiagnosed = (update: number, every: number): boolean => every > 0 && update % every === 0;

export interface MeasureOptions {
  readonly innerEpochs: readonly number[];
  /** [P]: minibatches of an inner epoch. */
  readonly minibatches: readonly number[];
  /** [P]: true where the member trains a critic. */
  readonly critic: readonly boolean[];
  /** True where the reference policy's log-probs were worked out. */
  readonly reference: boolean;
  /** [P]: true where its action tokens carry a policy loss. */
  readonly actionLoss: readonly boolean[];
  /** [P]: true where it learned from demonstrations, whose groups say nothing about its own episodes. */
  readonly imitates: readonly boolean[];
  /** [P]: share of trajectories that hindsight relabelled; NaN without hindsight. */
  readonly relabelled: ArrayLike<number>;
  readonly replayed: Replayed;
}

/** Metrics of the rollout alone, [P, METRICS.length]; the others NaN. */
export function rolloutMetrics({ members, means }: RolloutSummary): Float64Array {
  const values = new Float64Array(members * METRICS.length).fill(Number.NaN);
  for (const [metric, ofMembers] of means) putMetric(values, metric, ofMembers);
  return values;
}

/** Writes a metric, [P], into the update's metrics, [P, METRICS.length]. */
export function putMetric(values: Float64Array, metric: MetricName, ofMembers: ArrayLike<number>): void {
  for (let member = 0; member < ofMembers.length; member++) {
    values[member * METRICS.length + METRIC[metric]] = ofMembers[member];
  }
}

/** All metrics of an update, [P, METRICS.length]. */
export function measure(summary: RolloutSummary, readback: UpdateReadback, options: MeasureOptions): Float64Array {
  const { members } = summary;
  const values = rolloutMetrics(summary);
  for (let member = 0; member < members; member++) {
    const innerEpochs = options.innerEpochs[member];
    const critic = options.critic[member];
    const column = (terms: ArrayLike<number>, term: number): number => terms[member * TERM_COLUMNS + term];
    const firstSum = (term: number): number => column(readback.firstTerms, term);
    const wholeSum = (term: number): number => firstSum(term) + column(readback.laterTerms, term);
    const count = (role: Role): number => readback.counts[member * ROLES.length + ROLE[role]];
    const put = (metric: keyof typeof METRIC, value: number | undefined): void => {
      values[member * METRICS.length + METRIC[metric]] = value ?? Number.NaN;
    };
    // 0/0 is NaN, which is what "undefined" means here.
    const actions = DRAWN.reduce((sum, role) => sum + count(role), 0);
    const steps = actions * innerEpochs;
    put('observationCrossEntropy', firstSum(TERM.observationNll) / count('observation'));
    put('warningCrossEntropy', firstSum(TERM.warningNll) / count('warning'));
    put('entropy', firstSum(TERM.entropy) / actions);
    put('kl', options.reference ? firstSum(TERM.kl) / actions : Number.NaN);
    put('distillation', readback.distillation?.[member]);
    put('inverseCrossEntropy', readback.inverse?.[member]);
    put('mismatch', firstSum(TERM.mismatch) / actions);
    put('relabelled', options.relabelled[member]);
    put('replayShare', options.replayed.share[member]);
    put('replayAge', options.replayed.age[member]);
    put('replayHits', options.replayed.hits[member]);
    put('replayHeld', options.replayed.held[member]);
    // Without a policy loss, or with every group left out, there is nothing to clip.
    const shares = new Map(groupShares(readback.group, member, members, options.replayed.share[member] || 0));
    const clippable = options.actionLoss[member] && shares.get('keptGroups') !== 0 ? steps : Number.NaN;
    put('clipFraction', wholeSum(TERM.clipped) / clippable);
    put('clipFractionLow', wholeSum(TERM.clippedLow) / clippable);
    put('clipFractionHigh', wholeSum(TERM.clippedHigh) / clippable);
    put('clipFractionDual', wholeSum(TERM.clippedDual) / clippable);
    put('klOld', wholeSum(TERM.klOld) / steps);
    put('valueLoss', critic ? firstSum(TERM.valueLoss) : Number.NaN);
    const [total, policy, world] = [readback.gradNorm, readback.policyGradNorm, readback.worldModelGradNorm].map(
      (norms) => norms?.[member] ?? Number.NaN,
    ) as [number, number, number];
    put('gradNorm', total);
    put('policyGradNorm', policy);
    put('worldModelGradNorm', world);
    put('gradientCosine', cosineOf(total, policy, world));
    for (const [metric, value] of shares) put(metric, options.imitates[member] ? Number.NaN : value);
    if (readback.tokens !== null) {
      const stride = readback.tokens.roles.length / members;
      const details = diagnose(readback.tokens, member, stride, innerEpochs * options.minibatches[member], critic);
      put('ratioLow', details.ratioLow);
      put('ratioHigh', details.ratioHigh);
      put('klReverse', details.klReverse);
      put('explainedVariance', details.explainedVariance);
    }
  }
  return values;
}

/** Cosine from |p + w|² = |p|² + |w|² + 2·|p|·|w|·cos, of float32 norms; NaN where one vanishes beside the other. */
export function cosineOf(total: number, policy: number, world: number): number {
  if (!isComparable(policy, world)) return Number.NaN;
  const cosine = (total ** 2 - policy ** 2 - world ** 2) / (2 * policy * world);
  return Math.min(Math.max(cosine, -1), 1);
}

type GroupMetric = 'keptGroups' | 'zeroVarianceGroups';

/**
 * Shares of a member's groups. group: [P, groups, GROUP_COLUMNS]; replayed: the share of its batch at the end that was not
 * played now, whose whole groups count for nothing.
 */
function groupShares(
  group: ArrayLike<number>,
  member: number,
  members: number,
  replayed: number,
): readonly [GroupMetric, number][] {
  const perMember = group.length / members / GROUP_COLUMNS;
  const groups = Math.ceil(perMember * (1 - replayed) - 1e-9);
  const share = (holds: (column: (index: number) => number) => boolean): number => {
    let count = 0;
    for (let g = 0; g < groups; g++) {
      const first = (member * perMember + g) * GROUP_COLUMNS;
      if (holds((index) => group[first + index])) count++;
    }
    return count / groups;
  };
  return [
    ['keptGroups', share((of) => of(GROUP.kept) !== 0)],
    ['zeroVarianceGroups', share((of) => of(GROUP.equal) === 1)],
  ];
}
