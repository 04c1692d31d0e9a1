/** Player of one policy out of a file. The same file, seed and environment give the same episodes. */
import type { Environment, Split } from '../../environments/environment';
import { probabilityInterval } from '../../experiment/conclude/statistics';
import { defaultArm } from '../../experiment/experiment';
import { RandomStream, STREAM } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import type { ImportedPolicy } from '../../onnx/importOnnx';
import type { OnnxScorer } from '../../onnx/scorer';
import { PolicySession } from '../../onnx/session';
import { Rollout } from '../../rl/play/rollout';
import { Trajectories } from '../../rl/play/trajectories';
import type { Member } from '../../rl/population';
import type { Backend } from '../../tensor/backend';
import { HYPER } from '../../tensor/layout';
import type { EpisodeView } from '../looks/shown';
import { filePlayer } from './filePlayer';
import { scoreTrajectories, sumOver } from './scores';

/** One of the last episodes played, for drawing. */
export type PlayedEpisode = Pick<EpisodeView, 'task' | 'tokens' | 'roles' | 'success'>;

export interface PlayedTasks {
  readonly episodes: number;
  readonly success: number;
  /** 95% interval of the success rate. */
  readonly successInterval: readonly [low: number, high: number];
  /** Mean number of turns. */
  readonly turns: number;
  /** Nats per observation token of these episodes, full vocabulary, temperature 1; null where there was none. */
  readonly observationCrossEntropy: number | null;
  /** Exact floor of the cross-entropy, the observations' entropy given all before them; null where the world has none. */
  readonly observationFloor: number | null;
}

/** Episodes played at a time. */
const BATCH = 64;
/** First round of each split. They share a stream; with rounds of their own no random number is used twice. */
const FIRST_ROUND = { 'held-out': 0, train: 0x80000000 } as const satisfies Record<Split, number>;

/** Default reward rules; success does not depend on them. */
const ARMS = [defaultArm('policy', 'Policy')];

export class PolicyPlayer {
  readonly #session: PolicySession;
  readonly #environment: Environment;
  readonly #seed: number;
  readonly #rollout: Rollout;
  readonly #scorer: OnnxScorer;
  readonly #trajectories: Trajectories;

  private constructor(
    backend: Backend,
    session: PolicySession,
    policy: ImportedPolicy,
    environment: Environment,
    seed: number,
  ) {
    const member: Member = { armIndex: 0, ...policy.member };
    const { hyper, chunk, decoder, scorer } = filePlayer(backend, session, environment, member.seed, BATCH);
    backend.write(hyper, Float32Array.of(policy.temperature), HYPER.temperature);
    this.#session = session;
    this.#environment = environment;
    this.#seed = seed;
    this.#rollout = new Rollout(environment, decoder, [member], { groups: BATCH, groupSize: 1, chunk });
    this.#scorer = scorer;
    this.#trajectories = new Trajectories(1, BATCH, environment.context, environment.maxTurns);
  }

  /** Opens a player. model: the file that `policy` was read from. Throws LabError where onnxruntime cannot run it. */
  static async open(
    backend: Backend,
    model: Uint8Array,
    policy: ImportedPolicy,
    environment: Environment,
    seed: number,
  ): Promise<PolicyPlayer> {
    const session = await PolicySession.open(model, policy, { gpu: backend.sharedGpu });
    try {
      const player = new PolicyPlayer(backend, session, policy, environment, seed);
      await backend.prepare();
      return player;
    } catch (cause) {
      await session.release();
      throw cause;
    }
  }

  get runtime(): string {
    return this.#session.description;
  }

  /** Plays `episodes` episodes, each on a task of its own, and scores them. */
  async play(split: Split, episodes: number): Promise<PlayedTasks> {
    const total = { successes: 0, turns: 0, nats: 0, floor: 0, observations: 0 };
    for (let first = 0; first < episodes; first += BATCH) {
      await this.#playBatch(split, first / BATCH);
      const counted = Math.min(BATCH, episodes - first);
      const { successes, turns, floors } = this.#trajectories;
      for (let slot = 0; slot < counted; slot++) {
        total.successes += successes[slot] as number;
        total.turns += turns[slot] as number;
        total.floor += floors[slot] as number;
      }
      const { logProb } = await scoreTrajectories(this.#scorer, this.#trajectories, counted);
      const observed = sumOver(this.#trajectories, counted, (role) => role === ROLE.observation, logProb);
      total.nats -= observed.sum;
      total.observations += observed.tokens;
    }
    const perObservation = (nats: number): number | null =>
      Number.isFinite(nats / total.observations) ? nats / total.observations : null;
    return {
      episodes,
      success: total.successes / episodes,
      successInterval: probabilityInterval(total.successes, episodes),
      turns: total.turns / episodes,
      observationCrossEntropy: perObservation(total.nats),
      observationFloor: perObservation(total.floor),
    };
  }

  /** Plays held-out tasks, where there are any, and then tasks like those of training. */
  async playAll(episodes: number): Promise<{ heldOut: PlayedTasks | null; training: PlayedTasks }> {
    const heldOut = this.#environment.hasHeldOut === true ? await this.play('held-out', episodes) : null;
    return { heldOut, training: await this.play('train', episodes) };
  }

  /** Episode `slot` of the last batch, 0 … 63. */
  episode(slot: number): PlayedEpisode {
    const { context, lengths, tokens, roles, successes, tasks } = this.#trajectories;
    const [start, end] = [slot * context, slot * context + (lengths[slot] as number)];
    return {
      task: (tasks[0]?.[slot] ?? new Int32Array(0)).slice(),
      tokens: tokens.slice(start, end),
      roles: roles.slice(start, end),
      success: successes[slot] === 1,
    };
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }

  async #playBatch(split: Split, batch: number): Promise<void> {
    const round = FIRST_ROUND[split] + batch;
    await this.#rollout.run(this.#trajectories, {
      arms: ARMS,
      experimentSeed: this.#seed,
      stream: STREAM.evaluation,
      round,
      drawTask: (_, group) =>
        this.#environment.drawTask(new RandomStream(this.#seed, STREAM.evaluation, 0, round, group), split),
    });
  }
}
