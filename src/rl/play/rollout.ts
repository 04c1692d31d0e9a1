/**
 * Rollout: every member plays a batch of episodes, turn by turn. The policy decodes on the backend; the environments step
 * here, over typed arrays; one readback a turn and cohort.
 */
import type { Environment, WorldSlots } from '../../environments/environment';
import { drawnSet, longestAction, longestDraw, mostDrawn, thoughtsOf } from '../../environments/replay';
import type { Arm } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import { RandomStream, STREAM } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import { cohortOf, playCohorts } from '../../policy/cohorts';
import { type DrawnTokens, NOT_DRAWN, type TurnDecoder, type TurnResult } from '../../policy/decoder';
import { packMeta, ROW_FIELDS } from '../../tensor/layout';
import type { Member } from '../population';
import { emissionInto, noteMatch, noteProgress, payEpisode } from './recording';
import { isMisjudged, type RewardRules, rewardRules } from './rewards';
import type { Trajectories } from './trajectories';

/** Policies that take turns within an episode, by number. */
export interface Relay {
  readonly policies: number;
  /** The policy that plays this turn of a trajectory. */
  readonly policyOf: (member: number, slot: number, turn: number) => number;
  /** Lets a policy play, every member's. */
  readonly enter: (policy: number) => void;
}

/** Settings of one batch. */
export interface Play {
  /** The members' arms, as they are now: their rewards are paid. */
  readonly arms: readonly Arm[];
  readonly experimentSeed: number;
  /** One of STREAM, and a number within it (mostly the update): together they key the draws of tokens. */
  readonly stream: number;
  readonly round: number;
  /** The task of a member's group. */
  readonly drawTask: (member: number, group: number) => Int32Array;
  /** True for the trajectories to play; all, if absent. The others keep their contents. */
  readonly plays?: (member: number, slot: number) => boolean;
  /** Turns after which an episode ends, [P]; the environment's own limit, if absent. */
  readonly turnCaps?: readonly number[];
  /** Policies that take turns; if absent, those that play take all turns. The decoder's chunk must have room for a whole episode. */
  readonly relay?: Relay | undefined;
  /** Reads the numbers that rewards need of ended episodes; nothing, if absent. */
  readonly read?: (played: readonly number[]) => Promise<void>;
}

export interface RolloutSizes {
  readonly groups: number;
  readonly groupSize: number;
  /** Largest number of tokens fed per trajectory and turn: the decoder's chunk. */
  readonly chunk: number;
}

/** Slots drawn for in a turn, in the order of each member's picks, [P][picks]. */
type Drawn = readonly (readonly number[])[];

const tooLong = (length: number): LabError =>
  new LabError(
    'internal',
    `A prompt or an observation is longer than the world says it may be, and ${length} tokens do not fit.`,
    'Correct the world’s context and maxObservationTokens.',
  );

export class Rollout {
  readonly #environment: Environment;
  readonly #decoder: TurnDecoder;
  readonly #members: readonly Member[];
  readonly #sizes: RolloutSizes;
  readonly #worlds: readonly WorldSlots[];
  /** Tokens of each trajectory already in the key-value cache, [P, B]. */
  readonly #fed: Int32Array;
  readonly #playing: Uint8Array;
  /** Policy that plays the present turn, and the one whose keys and values are in the cache, [P, B]; 0 where there is one. */
  readonly #player: Uint8Array;
  readonly #reader: Uint8Array;
  /** Actions of the member whose turn is played, and the anchors before them, by pick. */
  readonly #actions: number[][] = [];
  readonly #anchors: ReturnType<Trajectories['anchorOf']>[] = [];
  /** Reward rules of the batch being played, [P]. */
  #rules: readonly RewardRules[] = [];
  #turnCaps: readonly number[] = [];
  #relay: Relay | undefined;

  constructor(environment: Environment, decoder: TurnDecoder, members: readonly Member[], sizes: RolloutSizes) {
    const count = sizes.groups * sizes.groupSize;
    this.#environment = environment;
    this.#decoder = decoder;
    this.#members = members;
    this.#sizes = sizes;
    this.#worlds = members.map(() => environment.createWorld(count));
    this.#fed = new Int32Array(members.length * count);
    this.#playing = new Uint8Array(members.length * count);
    this.#player = new Uint8Array(members.length * count);
    this.#reader = new Uint8Array(members.length * count);
  }

  /** Plays one batch into `trajectories`, whose count must be groups · groupSize. */
  async run(trajectories: Trajectories, play: Play): Promise<void> {
    const { arms, experimentSeed, stream, round } = play;
    this.#rules = this.#members.map(({ armIndex }) => rewardRules(arms[armIndex]));
    this.#turnCaps = play.turnCaps ?? this.#members.map(() => Number.POSITIVE_INFINITY);
    const played = this.#reset(trajectories, play);
    this.#decoder.begin(experimentSeed, stream, round);
    this.#relay = play.relay;
    await playCohorts(this.#decoder.cohorts, this.#environment.maxTurns, (cohort) => this.#turn(trajectories, cohort));
    await play.read?.(played);
    // Episodes played beside the batch have verdicts of their own.
    const firstVerdict = stream === STREAM.sampling ? 0 : stream * 2 ** 24;
    for (const trajectory of played) {
      const member = Math.floor(trajectory / trajectories.count);
      const slot = trajectory % trajectories.count;
      const [rules, world, { seed }] = [this.#rules[member], this.#worlds[member], this.#members[member]];
      const verdict = new RandomStream(experimentSeed, STREAM.verifier, seed, round, firstVerdict + slot);
      trajectories.flips[trajectory] = isMisjudged(rules, world.isSuccess(slot), verdict) ? 1 : 0;
      payEpisode(this.#environment, world, slot, trajectories, trajectory, rules);
    }
  }

  /** Plays a turn of one cohort, policy by policy; false once all its episodes are over. */
  async #turn(trajectories: Trajectories, cohort: number): Promise<boolean> {
    const relay = this.#relay;
    if (relay !== undefined) this.#hand(trajectories, cohort, relay);
    let any = false;
    for (let policy = 0; policy < (relay?.policies ?? 1); policy++) {
      any = (await this.#turnOf(trajectories, cohort, policy)) || any;
    }
    return any;
  }

  /** Gives each trajectory of a cohort the policy that plays its present turn. */
  #hand({ count, turns }: Trajectories, cohort: number, { policyOf }: Relay): void {
    for (let trajectory = 0; trajectory < this.#playing.length; trajectory++) {
      const slot = trajectory % count;
      if (this.#playing[trajectory] === 0 || cohortOf(slot, this.#decoder.cohorts) !== cohort) continue;
      this.#player[trajectory] = policyOf(Math.floor(trajectory / count), slot, turns[trajectory]);
    }
  }

  /** Plays the turns of a cohort that are a policy's; false if there are none. */
  async #turnOf(trajectories: Trajectories, cohort: number, policy: number): Promise<boolean> {
    if (this.#environment.thoughts !== undefined) {
      const thinking = this.#ask(trajectories, cohort, policy, 'thoughts');
      if (thinking !== null) this.#think(trajectories, thinking, await this.#decode(policy, 'thoughts'));
    }
    const acting = this.#ask(trajectories, cohort, policy, 'actions');
    if (acting !== null) this.#act(trajectories, acting, await this.#decode(policy, 'actions'));
    return acting !== null;
  }

  /** Lets a policy draw: another cohort may have let another one play meanwhile. */
  #decode(policy: number, drawing: DrawnTokens): ReturnType<TurnDecoder['turn']> {
    this.#relay?.enter(policy);
    return this.#decoder.turn(drawing);
  }

  /** Begins the episodes to play; returns their trajectories. */
  #reset(trajectories: Trajectories, { drawTask, plays = () => true }: Play): number[] {
    const { groups, groupSize } = this.#sizes;
    const begun: number[] = [];
    this.#playing.fill(0);
    this.#worlds.forEach((world, member) => {
      const tasks = trajectories.tasks[member];
      for (let group = 0; group < groups; group++) {
        const slots = Array.from({ length: groupSize }, (_, i) => group * groupSize + i);
        const playing = slots.filter((slot) => plays(member, slot));
        if (playing.length === 0) continue;
        const task = drawTask(member, group);
        tasks[group] = task;
        const environment = this.#environment.environmentOf?.(task) ?? 0;
        for (const slot of playing) {
          const trajectory = member * trajectories.count + slot;
          trajectories.clear(trajectory);
          trajectories.environments[trajectory] = environment;
          this.#fed[trajectory] = 0;
          this.#player[trajectory] = 0;
          this.#reader[trajectory] = 0;
          this.#playing[trajectory] = 1;
          world.reset(slot, task, emissionInto(trajectories, trajectory));
          noteProgress(world, slot, trajectories, trajectory, this.#rules[member]);
          begun.push(trajectory);
        }
      }
    });
    return begun;
  }

  /**
   * Writes the decoder's request: unfed tokens of every playing trajectory of a cohort, for thoughts of those that have them,
   * and a draw after them. Returns the slots; null if there is none.
   */
  #ask(trajectories: Trajectories, cohort: number, policy: number, drawing: DrawnTokens): Drawn | null {
    const { count, context, tokens, roles, legalSets, lengths } = trajectories;
    const { rows, rowCount, picks, pickCount, actionTokens } = this.#decoder.request;
    const { places, cohorts } = this.#decoder;
    const rowStride = places * this.#sizes.chunk * ROW_FIELDS;
    const drawn = this.#members.map((): number[] => []);
    for (let member = 0; member < this.#members.length; member++) {
      const world = this.#worlds[member];
      const slots = drawn[member];
      let row = 0;
      for (let slot = 0; slot < count; slot++) {
        const trajectory = member * count + slot;
        if (this.#playing[trajectory] === 0 || cohortOf(slot, cohorts) !== cohort) continue;
        if (this.#player[trajectory] !== policy) continue;
        const thoughts = drawing === 'thoughts' ? thoughtsOf(this.#environment, world, slot) : null;
        if (drawing === 'thoughts' && thoughts === null) continue;
        const length = lengths[trajectory];
        if (row + length - this.#fed[trajectory] > places * this.#sizes.chunk) throw tooLong(length);
        // A policy that takes over reads the whole episode again.
        if (this.#reader[trajectory] !== policy) this.#fed[trajectory] = 0;
        this.#reader[trajectory] = policy;
        for (let position = this.#fed[trajectory]; position < length; position++) {
          const at = trajectory * context + position;
          const to = member * rowStride + row * ROW_FIELDS;
          rows[to] = tokens[at];
          rows[to + 1] = position;
          rows[to + 2] = slot * context;
          rows[to + 3] = packMeta(roles[at], legalSets[at], slot);
          row++;
        }
        this.#fed[trajectory] = length;
        const pick = member * places + slots.length;
        const to = pick * ROW_FIELDS;
        picks[to] = row - 1;
        picks[to + 1] = length;
        picks[to + 2] = slot;
        picks[to + 3] =
          thoughts === null
            ? packMeta(ROLE.action, drawnSet(world, slot), slot)
            : packMeta(ROLE.thought, thoughts.legalSet, slot);
        actionTokens[pick] = thoughts?.most ?? longestAction(this.#environment, world, slot);
        slots.push(slot);
      }
      rowCount[member] = row;
      pickCount[member] = slots.length;
    }
    return drawn.some((slots) => slots.length > 0) ? drawn : null;
  }

  /** Appends the thoughts that were drawn. */
  #think(trajectories: Trajectories, drawn: Drawn, { tokens, logProbs }: TurnResult): void {
    const { thoughts } = this.#environment;
    if (thoughts === undefined) return;
    drawn.forEach((slots, member) => {
      slots.forEach((slot, pick) => {
        const trajectory = member * trajectories.count + slot;
        for (let step = 0; step < thoughts.most; step++) {
          const at = this.#drawnAt(member, step, pick);
          if (tokens[at] === NOT_DRAWN) break;
          trajectories.appendDrawn(trajectory, tokens[at], thoughts.legalSet, logProbs[at], 'thought');
        }
        this.#fed[trajectory] = trajectories.lengths[trajectory] - 1;
      });
    });
  }

  /** Place of a pick's token among those of the decoder. */
  #drawnAt(member: number, step: number, pick: number): number {
    return (member * mostDrawn(this.#environment) + step) * this.#decoder.places + pick;
  }

  /** Number of a pick's tokens that are its action: tokens drawn behind it are dropped, and nobody read them. */
  #actionLength(tokens: TurnResult['tokens'], member: number, pick: number): number {
    const drawn: number[] = [];
    while (drawn.length < this.#environment.maxActionTokens) {
      const token = tokens[this.#drawnAt(member, drawn.length, pick)];
      if (token === NOT_DRAWN) break;
      drawn.push(token);
    }
    return this.#environment.actionLength?.(drawn) ?? drawn.length;
  }

  /** Appends the drawn actions, steps the environments, appends their answers. */
  #act(trajectories: Trajectories, drawn: Drawn, { tokens, logProbs }: TurnResult): void {
    const { count, context, lengths } = trajectories;
    drawn.forEach((slots, member) => {
      const world = this.#worlds[member];
      slots.forEach((slot, pick) => {
        const trajectory = member * count + slot;
        const legalSet = drawnSet(world, slot);
        const action: number[] = [];
        this.#actions[pick] = action;
        this.#anchors[pick] = trajectories.anchorOf(trajectory);
        const length = this.#actionLength(tokens, member, pick);
        for (let step = 0; step < length; step++) {
          const at = this.#drawnAt(member, step, pick);
          const token = tokens[at];
          if (!trajectories.appendDrawn(trajectory, token, legalSet, logProbs[at])) break;
          action.push(token);
        }
        world.expect?.(slot, action);
      });
      slots.forEach((slot, pick) => {
        const trajectory = member * count + slot;
        const before = world.reward(slot);
        // All drawn tokens but the last are in the cache already.
        this.#fed[trajectory] = lengths[trajectory] - 1;
        const actionEnd = lengths[trajectory];
        noteMatch(world, slot, trajectories, trajectory, this.#actions[pick], this.#rules[member]);
        world.step(slot, this.#actions[pick], emissionInto(trajectories, trajectory));
        trajectories.endTurn(trajectory, actionEnd, world.reward(slot) - before, this.#anchors[pick]);
        trajectories.addFloor(trajectory, world.entropyFloor?.(slot) ?? Number.NaN);
        noteProgress(world, slot, trajectories, trajectory, this.#rules[member]);
        const full = lengths[trajectory] + longestDraw(this.#environment, world, slot) > context;
        const capped = trajectories.turns[trajectory] >= this.#turnCaps[member];
        if (world.isDone(slot) || full || capped) this.#playing[trajectory] = 0;
      });
    });
  }
}
