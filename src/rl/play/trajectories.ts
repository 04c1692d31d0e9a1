/**
 * One update's trajectories on the host: tokens, roles, behaviour log-probs and rewards of every member, [P, B, T].
 * Allocated once. The environments write into it during the rollout; packing, metrics and the viewer read it.
 */
import type { SaidRole } from '../../environments/environment';
import { DRAWN, isDrawn, ROLE } from '../../foundation/roles';
import { REWARD_PARTS } from '../../tensor/columns';
import { TURN_PATH, TURN_PATH_COLUMNS } from '../../tensor/operations/advantage';
import type { Solved } from './solvedMemory';

/** Hash of no tokens, and of one token more, as in FNV-1a. */
const NO_TOKENS = 0x811c9dc5;
const hashOn = (hash: number, token: number): number => Math.imul(hash ^ token, 0x01000193) >>> 0;

export class Trajectories {
  readonly members: number;
  /** B, trajectories per member. */
  readonly count: number;
  /** T, capacity of one trajectory. */
  readonly context: number;
  /** Tokens and their roles, [P, B, T]. */
  readonly tokens: Uint16Array;
  readonly roles: Uint8Array;
  /** Legal set in force when a token was drawn, [P, B, T]; 0 elsewhere. */
  readonly legalSets: Uint8Array;
  /** Log-prob under the policy and the prompt that a token was drawn by, [P, B, T], also after hindsight; 0 for tokens not drawn. */
  readonly behaviourLogProb: Float32Array;
  /** Tokens in use of each trajectory, [P, B]. */
  readonly lengths: Int32Array;
  /** Reward of the trajectory, [P, B]: the sum of its weighted parts. */
  readonly rewards: Float32Array;
  /** 1 where the trajectory succeeded, [P, B]. */
  readonly successes: Uint8Array;
  /** Part of a mixture that a trajectory was played in (Environment.environmentOf), [P, B]; 0 in a single environment. */
  readonly environments: Uint8Array;
  /** Reward at each token, [P, B, T]: a turn's reward stands at the last token of its action. */
  readonly tokenRewards: Float32Array;
  /** Parts of the reward, capped, before weights, [P, B, REWARD_PARTS]; NaN for a part that is not used or not known. */
  readonly parts: Float32Array;
  /** 1 where the verifier's verdict was flipped, [P, B]. */
  readonly flips: Uint8Array;
  /** Number of the state each turn began in, [P, B, turns]: equal observations have equal numbers. */
  readonly anchors: Uint32Array;
  /**
   * Numbers of the history before each turn and of its action, [P, B, turns, TURN_PATH_COLUMNS]: hashes of all tokens but
   * thoughts. Equal numbers are equal paths from the same prompt.
   */
  readonly turnPath: Uint32Array;
  /** Hash of the tokens but thoughts up to a position, and that position, [P, B]. */
  readonly #history: Uint32Array;
  readonly #hashed: Int32Array;
  /** Turns taken, [P, B]. */
  readonly turns: Int32Array;
  /** Share of turns without a warning, [P, B]. */
  readonly validShare: Float32Array;
  /** Numbers of each turn, [P, B, turns]: the environment's reward, the position of the last action token, and two flags. */
  readonly turnEarned: Float64Array;
  readonly turnEnds: Int32Array;
  readonly turnWarned: Uint8Array;
  /** 1 where the same action was taken before, after the same observation, [P, B, turns]. */
  readonly turnRepeated: Uint8Array;
  /** Progress before the first turn and after each, [P, B, turns + 1]; NaN where no part of the reward needs it. */
  readonly turnProgress: Float64Array;
  /** The policy's probability of the right answer before each turn, [P, B, turns]; NaN where no part of the reward needs it. */
  readonly turnKnown: Float64Array;
  /** Share of each turn's action that is the expert's, [P, B, turns], and agreement in the group, [P, B]; else NaN likewise. */
  readonly turnMatched: Float64Array;
  readonly agreed: Float64Array;
  /** Entropy floor of a trajectory's observations, nats in all (World.entropyFloor), [P, B]; NaN where it is not known. */
  readonly floors: Float64Array;
  /** Entropy floor of each turn, [P, B, turns]. */
  readonly #turnFloors: Float64Array;
  /** Number of each turn's pair of observation and action, [P, B, turns]; an anchor is that of an observation alone. */
  readonly #turnKeys: Uint32Array;
  /** Reward of the greedy trajectory of the same task, [P, B]; 0 where none was played. */
  readonly baselines: Float32Array;
  /** M, capacity of `anchors` per trajectory. */
  readonly maxTurns: number;
  /** The task of each group, [P][groups]. */
  readonly tasks: Int32Array[][];
  /** New task of each trajectory that hindsight has relabelled, by its index in [P, B]. */
  readonly relabelled = new Map<number, Int32Array>();
  /** Solved episode from an earlier update in the place of a trajectory, by the same index. */
  readonly replayed = new Map<number, Solved>();

  constructor(members: number, count: number, context: number, maxTurns: number) {
    this.members = members;
    this.count = count;
    this.context = context;
    this.tokens = new Uint16Array(members * count * context);
    this.roles = new Uint8Array(members * count * context);
    this.legalSets = new Uint8Array(members * count * context);
    this.behaviourLogProb = new Float32Array(members * count * context);
    this.lengths = new Int32Array(members * count);
    this.rewards = new Float32Array(members * count);
    this.successes = new Uint8Array(members * count);
    this.environments = new Uint8Array(members * count);
    this.tokenRewards = new Float32Array(members * count * context);
    this.anchors = new Uint32Array(members * count * maxTurns);
    this.turnPath = new Uint32Array(members * count * maxTurns * TURN_PATH_COLUMNS);
    this.#history = new Uint32Array(members * count).fill(NO_TOKENS);
    this.#hashed = new Int32Array(members * count);
    this.parts = new Float32Array(members * count * REWARD_PARTS).fill(Number.NaN);
    this.flips = new Uint8Array(members * count);
    const allTurns = members * count * maxTurns;
    this.turnEarned = new Float64Array(allTurns);
    this.turnEnds = new Int32Array(allTurns);
    this.turnWarned = new Uint8Array(allTurns);
    this.turnRepeated = new Uint8Array(allTurns);
    this.turnProgress = new Float64Array(members * count * (maxTurns + 1)).fill(Number.NaN);
    this.turnKnown = new Float64Array(allTurns).fill(Number.NaN);
    this.turnMatched = new Float64Array(allTurns).fill(Number.NaN);
    this.agreed = new Float64Array(members * count).fill(Number.NaN);
    this.floors = new Float64Array(members * count);
    this.#turnFloors = new Float64Array(allTurns);
    this.#turnKeys = new Uint32Array(allTurns);
    this.turns = new Int32Array(members * count);
    this.validShare = new Float32Array(members * count).fill(1);
    this.baselines = new Float32Array(members * count);
    this.maxTurns = maxTurns;
    this.tasks = Array.from({ length: members }, () => []);
  }

  /** Empties one trajectory, or all of them. */
  clear(trajectory?: number): void {
    const [first, end] = trajectory === undefined ? [0, this.lengths.length] : [trajectory, trajectory + 1];
    const { context, maxTurns } = this;
    const { lengths, rewards, successes, environments, flips, turns, baselines, floors } = this;
    for (const perTrajectory of [lengths, rewards, successes, environments, flips, turns, baselines, floors]) {
      perTrajectory.fill(0, first, end);
    }
    this.agreed.fill(Number.NaN, first, end);
    for (let i = first; i < end; i++) {
      this.relabelled.delete(i);
      this.replayed.delete(i);
    }
    this.validShare.fill(1, first, end);
    this.tokenRewards.fill(0, first * context, end * context);
    this.parts.fill(Number.NaN, first * REWARD_PARTS, end * REWARD_PARTS);
    this.anchors.fill(0, first * maxTurns, end * maxTurns);
    this.turnPath.fill(0, first * maxTurns * TURN_PATH_COLUMNS, end * maxTurns * TURN_PATH_COLUMNS);
    this.#history.fill(NO_TOKENS, first, end);
    this.#hashed.fill(0, first, end);
    this.turnProgress.fill(Number.NaN, first * (maxTurns + 1), end * (maxTurns + 1));
    for (const ofTurns of [this.turnKnown, this.turnMatched])
      ofTurns.fill(Number.NaN, first * maxTurns, end * maxTurns);
  }

  /** Task of a trajectory. */
  taskOf(trajectory: number): Int32Array {
    const tasks = this.tasks[Math.floor(trajectory / this.count)];
    const group = Math.floor(((trajectory % this.count) * tasks.length) / this.count);
    return this.relabelled.get(trajectory) ?? this.replayed.get(trajectory)?.task ?? tasks[group];
  }

  /** Appends a token the environment said. False when the trajectory is full. */
  appendSaid(trajectory: number, token: number, role: SaidRole): boolean {
    return this.#append(trajectory, token, ROLE[role], 0, 0);
  }

  /** Appends a token the policy drew. False when the trajectory is full. */
  appendDrawn(
    trajectory: number,
    token: number,
    legalSet: number,
    logProb: number,
    role: 'action' | 'thought' = 'action',
  ): boolean {
    return this.#append(trajectory, token, ROLE[role], legalSet, logProb);
  }

  /**
   * Closes a turn whose action ended at position `actionEnd` − 1. earned: the environment's reward for it; anchor: the number
   * of the state it began in.
   */
  endTurn(trajectory: number, actionEnd: number, earned: number, anchor: number): void {
    const turn = this.turns[trajectory];
    this.tokenRewards[trajectory * this.context + actionEnd - 1] = earned;
    let warned = false;
    for (let t = actionEnd; t < this.lengths[trajectory]; t++) {
      if (this.roles[trajectory * this.context + t] === ROLE.warning) warned = true;
    }
    if (turn < this.maxTurns) {
      const first = trajectory * this.maxTurns;
      const key = this.#turnKey(trajectory, actionEnd, anchor);
      this.anchors[first + turn] = anchor;
      this.#notePath(trajectory, turn, actionEnd);
      this.turnEarned[first + turn] = earned;
      this.turnEnds[first + turn] = actionEnd - 1;
      this.turnWarned[first + turn] = warned ? 1 : 0;
      this.turnRepeated[first + turn] = this.#turnKeys.subarray(first, first + turn).includes(key) ? 1 : 0;
      this.#turnKeys[first + turn] = key;
    }
    const valid = this.validShare[trajectory] * turn + (warned ? 0 : 1);
    this.turns[trajectory] = turn + 1;
    this.validShare[trajectory] = valid / (turn + 1);
  }

  /** Adds the entropy floor of the turn closed last, nats. */
  addFloor(trajectory: number, nats: number): void {
    this.floors[trajectory] += nats;
    const turn = this.turns[trajectory] - 1;
    if (turn < this.maxTurns) this.#turnFloors[trajectory * this.maxTurns + turn] = nats;
  }

  /** Entropy floor of a turn's observations, nats. */
  turnFloor(trajectory: number, turn: number): number {
    return this.#turnFloors[trajectory * this.maxTurns + turn] ?? Number.NaN;
  }

  /** First token of each turn's action. */
  firstWords(trajectory: number): number[] {
    const first = trajectory * this.context;
    const ends = this.turnEnds.subarray(
      trajectory * this.maxTurns,
      trajectory * this.maxTurns + this.turns[trajectory],
    );
    return Array.from(ends, (end) => {
      let at = first + end;
      while (this.roles[at - 1] === ROLE.action && at > first) at--;
      return this.tokens[at];
    });
  }

  /** Number of tokens the policy wrote. */
  actionTokens(trajectory: number): number {
    return DRAWN.reduce((sum, role) => sum + this.#tokensOf(trajectory, ROLE[role]), 0);
  }

  observationTokens(trajectory: number): number {
    return this.#tokensOf(trajectory, ROLE.observation);
  }

  #tokensOf(trajectory: number, role: number): number {
    const first = trajectory * this.context;
    let count = 0;
    for (let t = 0; t < this.lengths[trajectory]; t++) count += +(this.roles[first + t] === role);
    return count;
  }

  /** Share of turns that repeat an action after the same observation. */
  repeatedShare(trajectory: number): number {
    const first = trajectory * this.maxTurns;
    const turns = this.turns[trajectory];
    return this.turnRepeated.subarray(first, first + turns).reduce((sum, flag) => sum + flag, 0) / turns;
  }

  /**
   * Number of the last observation (the tokens after the last action, or the prompt), also once thoughts follow it: a hash of
   * its tokens as in FNV-1a. Equal observations have equal numbers: GiGPO's anchor states.
   */
  anchorOf(trajectory: number): number {
    const first = trajectory * this.context;
    let hash = NO_TOKENS;
    let last = this.lengths[trajectory] - 1;
    while (this.roles[first + last] === ROLE.thought && last >= 0) last--;
    for (let t = last; t >= 0 && !isDrawn(this.roles[first + t]); t--) {
      hash = hashOn(hash, this.tokens[first + t]);
    }
    return hash;
  }

  /** The anchor's hash continued over the action that ended before `actionEnd`. */
  #turnKey(trajectory: number, actionEnd: number, anchor: number): number {
    const first = trajectory * this.context;
    let hash = anchor;
    for (let t = actionEnd - 1; t >= 0 && this.roles[first + t] === ROLE.action; t--) {
      hash = hashOn(hash, this.tokens[first + t]);
    }
    return hash;
  }

  /** Numbers the history before a turn whose action ended before `actionEnd`, and the action. */
  #notePath(trajectory: number, turn: number, actionEnd: number): void {
    const first = trajectory * this.context;
    let history = this.#history[trajectory];
    let action = NO_TOKENS;
    let before = history;
    for (let t = this.#hashed[trajectory]; t < actionEnd; t++) {
      const [token, role] = [this.tokens[first + t], this.roles[first + t]];
      if (role === ROLE.thought) continue;
      if (role === ROLE.action) action = hashOn(action, token);
      history = hashOn(history, token);
      if (role !== ROLE.action) before = history;
    }
    const at = (trajectory * this.maxTurns + turn) * TURN_PATH_COLUMNS;
    this.turnPath[at + TURN_PATH.history] = before;
    this.turnPath[at + TURN_PATH.action] = action;
    this.#history[trajectory] = history;
    this.#hashed[trajectory] = actionEnd;
  }

  #append(trajectory: number, token: number, role: number, legalSet: number, logProb: number): boolean {
    const length = this.lengths[trajectory];
    if (length >= this.context) return false;
    const at = trajectory * this.context + length;
    this.tokens[at] = token;
    this.roles[at] = role;
    this.legalSets[at] = legalSet;
    this.behaviourLogProb[at] = logProb;
    this.lengths[trajectory] = length + 1;
    return true;
  }
}
