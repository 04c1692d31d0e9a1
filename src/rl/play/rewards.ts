/**
 * The reward of a finished episode, part by part. A part is a running value V₁ … Vₙ, one a turn, from V₀ = 0. The last
 * action token of turn i is paid weight·(cap(Vᵢ) − cap(Vᵢ₋₁)): rewards-to-go and GAE see it where it was earned, and over
 * the trajectory it adds up to weight·cap(Vₙ). A cap c > 0 bounds to ±c, 0 does not.
 */
import type { Arm } from '../../experiment/experiment';
import type { RandomStream } from '../../foundation/philox';
import { REWARD_PART_IDS, type RewardPart } from '../../hyperparameters/rewards';

/** Rules of an arm's reward. */
export interface RewardRules {
  /** Weight and cap of each part, in the order of REWARD_PART_IDS. */
  readonly weights: readonly number[];
  readonly caps: readonly number[];
  readonly outcomeForm: Arm['outcomeForm'];
  readonly formatForm: Arm['formatForm'];
  /** Probability that the verdict is flipped. */
  readonly verifierNoise: number;
  readonly verifierCount: number;
  readonly verifierVote: Arm['verifierVote'];
  readonly lengthTarget: number;
  /** Length Lc of the zone in which `overlong` grows, as a share of the most action tokens. */
  readonly overlongCache: number;
  /** γ of shaping, from one turn to the next. */
  readonly discount: number;
  readonly shapingEnd: Arm['shapingEnd'];
  readonly subgoalCount: number;
}

/** Credits that discount a return from turn to turn. */
const BY_TURN: readonly Arm['advantageCredit'][] = ['bilevel-gae', 'tree', 'turn-rewards'];

export function rewardRules(arm: Arm): RewardRules {
  return {
    weights: REWARD_PART_IDS.map((part) => arm.reward[part]),
    caps: REWARD_PART_IDS.map((part) => arm.rewardCap[part]),
    outcomeForm: arm.outcomeForm,
    formatForm: arm.formatForm,
    verifierNoise: arm.verifierNoise,
    verifierCount: arm.verifierCount,
    verifierVote: arm.verifierVote,
    lengthTarget: arm.lengthTarget,
    overlongCache: arm.overlongCache,
    discount: BY_TURN.includes(arm.advantageCredit) ? arm.turnDiscount : arm.discount,
    shapingEnd: arm.shapingEnd,
    subgoalCount: arm.subgoalCount,
  };
}

/** True if a part of the reward is paid for. */
export const isPaid = ({ weights }: RewardRules, part: RewardPart): boolean =>
  weights[REWARD_PART_IDS.indexOf(part)] !== 0;

/** True where some part needs the progress of episodes. */
export const needsProgress = (rules: RewardRules): boolean => isPaid(rules, 'shaping') || isPaid(rules, 'subgoals');

/**
 * True if the verdict on an episode is turned round. Each verifier errs by itself; a tie of an even number is no majority for
 * error. With the vote `all`, one that errs suffices to deny a success, and all have to err to grant a failure.
 */
export function isMisjudged(rules: RewardRules, success: boolean, random: Pick<RandomStream, 'unit'>): boolean {
  const { verifierNoise, verifierCount, verifierVote } = rules;
  if (verifierNoise === 0) return false;
  let wrong = 0;
  for (let i = 0; i < verifierCount; i++) wrong += +(random.unit() < verifierNoise);
  if (verifierVote === 'majority') return wrong > verifierCount / 2;
  return success ? wrong > 0 : wrong === verifierCount;
}

/** An episode that has ended, of n ≥ 1 turns. */
export interface FinishedEpisode {
  /** The environment's reward in all, and the share of it that each turn added, [n]. */
  readonly reward: number;
  readonly earned: ArrayLike<number>;
  readonly success: boolean;
  /** True where the verifier's verdict is flipped. */
  readonly flipped: boolean;
  /** Turns n, and the most possible. */
  readonly turns: number;
  readonly maxTurns: number;
  /** Tokens the policy wrote, and the most it can write. */
  readonly actionTokens: number;
  readonly maxActionTokens: number;
  /** [n]: 1 where the environment warned about the action. */
  readonly warned: ArrayLike<number>;
  /** [n]: 1 where the same action was taken before, after the same observation. */
  readonly repeated: ArrayLike<number>;
  /** Progress Φ, 0 … 1, before the first turn and after each, [n + 1]; NaN where the environment cannot tell. */
  readonly progress: ArrayLike<number>;
  /** [n]: the policy's probability of the right answer before each turn (informationGain.ts); NaN where it is not known. */
  readonly known: ArrayLike<number>;
  /** Share of the group's episodes that end with the same action (agreement.ts), its own among them; NaN where not known. */
  readonly agreed: number;
  /** [n]: place of the tool called among the world's tools, −1 where none was; the number of tools. */
  readonly tool: ArrayLike<number>;
  readonly tools: number;
  /** [n]: share of the action's words that are the expert's; NaN where there is no expert. */
  readonly matched: ArrayLike<number>;
}

type Part = (episode: FinishedEpisode, rules: RewardRules) => number[];

const atEnd = (turns: number, value: number): number[] =>
  Array.from({ length: turns }, (_, i) => +(i === turns - 1) * value);

/** V₁ … Vₙ from the gain of each turn. */
const running = (turns: number, gain: (turn: number) => number): number[] => {
  let sum = 0;
  return Array.from({ length: turns }, (_, turn) => {
    sum += gain(turn);
    return sum;
  });
};

/** Reward of the opposite verdict: 1 − r for r in 0 … 1. Below 0 and above 1 the excess stays: r + 1, r − 1. */
const turnedRound = (reward: number): number => reward + 1 - 2 * Math.min(Math.max(reward, 0), 1);

/**
 * The environment's reward, turn by turn; or at the end 1 for success, and 0 or −1 (ReTool, arXiv 2504.11536) for failure. A
 * flipped verdict pays the opposite.
 */
const outcome: Part = ({ turns, reward, earned, success, flipped }, { outcomeForm }) => {
  if (outcomeForm === 'binary') return atEnd(turns, success !== flipped ? 1 : 0);
  if (outcomeForm === 'signed') return atEnd(turns, success !== flipped ? 1 : -1);
  const values = running(turns, (turn) => earned[turn]);
  values[turns - 1] = flipped ? turnedRound(reward) : reward;
  return values;
};

/** Share of well-formed actions, or 1 if all are and 0 otherwise (ToolRL, arXiv 2504.13958). */
const format: Part = ({ turns, warned }, { formatForm }) => {
  const complaints = running(turns, (turn) => warned[turn])[turns - 1];
  return atEnd(turns, formatForm === 'all' ? Number(complaints === 0) : 1 - complaints / turns);
};

/** success·cos(mπ/(2m + c)): m the calls before the last one, c the most turns (OTC-PO, arXiv 2504.14870). */
const efficiency: Part = ({ turns, maxTurns, success }) => {
  const calls = turns - 1;
  return atEnd(turns, success ? Math.cos((calls * Math.PI) / (2 * calls + maxTurns)) : 0);
};

/** Length penalty, −max(0, action tokens − target). */
const length: Part = ({ turns, actionTokens }, { lengthTarget }) =>
  atEnd(turns, Math.min(0, lengthTarget - actionTokens));

/**
 * DAPO's soft overlong punishment (arXiv 2503.14476, equation 13): 0 up to Lmax − Lc, then ((Lmax − Lc) − L)/Lc down to −1
 * at Lmax. L: the action tokens; Lmax: the most possible; Lc: a share of Lmax (a fifth in the paper).
 */
const overlong: Part = ({ turns, actionTokens, maxActionTokens }, { overlongCache }) => {
  const cache = overlongCache * maxActionTokens;
  return atEnd(turns, Math.max(-1, Math.min(0, (maxActionTokens - cache - actionTokens) / cache)));
};

/**
 * Shaping F = γΦ(s′) − Φ(s) at every turn (Ng, Harada and Russell, ICML 1999). With γ = 1 its sum is Φ(end) − Φ(start). Only
 * with Φ(end) = 0 (`zero`) is the best policy sure to stay the same; credit by outcome then sees only a constant.
 */
const shaping: Part = ({ turns, progress }, { discount, shapingEnd }) =>
  running(turns, (turn) => {
    const ends = turn === turns - 1 && shapingEnd === 'zero';
    return discount * (ends ? 0 : progress[turn + 1]) - progress[turn];
  });

/** Share of the milestones passed since the beginning. The furthest so far counts, so none is paid twice. */
const subgoals: Part = ({ turns, progress }, { subgoalCount }) => {
  const milestones = (turn: number): number => Math.floor(progress[turn] * subgoalCount + 1e-9);
  const before = milestones(0);
  let furthest = before;
  return Array.from({ length: turns }, (_, turn) => {
    furthest = Math.max(furthest, milestones(turn + 1));
    return (furthest - before) / subgoalCount;
  });
};

/** Repetition penalty, −1 for every repeated action. */
const repetition: Part = ({ turns, repeated }) => running(turns, (turn) => 0 - repeated[turn]);

/**
 * Information gain (IGPO, arXiv 2510.14967): each turn's increase of the answer's probability. The last turn is paid by the
 * outcome alone.
 */
const information: Part = ({ turns, known }) =>
  running(turns, (turn) => known[Math.min(turn + 1, turns - 1)] - known[turn]);

/** Agreement within the group, at the end (TTRL, arXiv 2504.16084, which pays 1 to the commonest answer alone). */
const agreement: Part = ({ turns, agreed }) => atEnd(turns, agreed);

/** Share of the tools called so far. 0/0 in a world without any. */
const variety: Part = ({ turns, tool, tools }) => {
  const called = new Set<number>();
  return Array.from({ length: turns }, (_, turn) => {
    if (tool[turn] >= 0) called.add(tool[turn]);
    return called.size / tools;
  });
};

/** Mean correctness of the turns, each paid its share (ToolRL, arXiv 2504.13958, of calls by name, arguments and values). */
const calls: Part = ({ turns, matched }) => running(turns, (turn) => matched[turn] / turns);

const PARTS: Readonly<Record<RewardPart, Part>> = {
  outcome,
  format,
  efficiency,
  length,
  overlong,
  shaping,
  subgoals,
  repetition,
  information,
  agreement,
  variety,
  calls,
};

export interface EpisodeReward {
  /** Σ weight·part over the parts that are not NaN. */
  readonly total: number;
  /** Each part, capped, before its weight; NaN where its weight is 0 or the environment cannot tell. */
  readonly parts: readonly number[];
  /** Reward of each turn, [n]. */
  readonly turnRewards: readonly number[];
}

export function scoreEpisode(episode: FinishedEpisode, rules: RewardRules): EpisodeReward {
  const turnRewards = new Array<number>(episode.turns).fill(0);
  let total = 0;
  const parts = REWARD_PART_IDS.map((id, k) => {
    const weight = rules.weights[k];
    if (weight === 0) return Number.NaN;
    const cap = rules.caps[k];
    const bounded = (value: number): number => (cap === 0 ? value : Math.min(Math.max(value, -cap), cap));
    const values = PARTS[id](episode, rules);
    const whole = bounded(values[episode.turns - 1]);
    if (Number.isNaN(whole)) return whole;
    total += weight * whole;
    let before = 0;
    values.forEach((value, turn) => {
      const now = bounded(value);
      turnRewards[turn] += weight * (now - before);
      before = now;
    });
    return whole;
  });
  return { total, parts, turnRewards };
}
