/**
 * Dreams: in an episode that was really played, the policy writes the environment's answers itself, and they are compared
 * with the real ones.
 *   - One-step dreams: the next answer, after everything as it really was.
 *   - Multi-step dreams: all answers from some turn to the end, after its own earlier ones and the actions really taken.
 *     There is one dream from every turn; agreement is counted by turns dreamed.
 *   - Sensitivity: how much the prediction of an answer depends on the action before it (dream/sensitivity.ts).
 * Everything runs between two updates on the training's decoder and passes, and changes none of its numbers.
 */
import type { Environment } from '../../../environments/environment';
import { mostDrawn, type TurnSpan, turnsOf } from '../../../environments/replay';
import { RandomStream, STREAM } from '../../../foundation/philox';
import type { Decoder } from '../../../policy/decoder';
import type { Backend } from '../../../tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../../../tensor/layout';
import { GREEDY_TEMPERATURE } from '../../play/baselines';
import type { Member } from '../../population';
import type { Update } from '../../update';
import { type Dreaming, dream } from './dreamer';
import { Scorer } from './scorer';
import { sensitivityOf, swapActions } from './sensitivity';

/** Choice of dreamed tokens: the likeliest, or a draw at temperature 1; from the whole vocabulary either way. */
export type DreamSampling = 'greedy' | 'sampled';

/** Episode that a member played and dreams of. */
export interface DreamedEpisode {
  /** Index in the population, different for each episode. */
  readonly member: number;
  readonly task: Int32Array;
  readonly tokens: Uint16Array;
  readonly roles: Uint8Array;
}

export interface Dream {
  /** The episode's tokens with one-step dreams as its answers. */
  readonly next: Uint16Array;
  /** The episode's tokens with one dream from the first turn to the last. */
  readonly whole: Uint16Array;
  /** Answer tokens in each turn of all dreams, and how many of these equal the world's. */
  readonly dreamed: Uint32Array;
  readonly agreed: Uint32Array;
  /** Cross-entropy of the real answers, nats per token. */
  readonly crossEntropy: number;
  /** Rise of that cross-entropy after another action, nats per token; NaN where there is no other action. */
  readonly sensitivity: number;
}

export interface DreamsOptions {
  readonly environment: Environment;
  readonly members: readonly Member[];
  /** Largest number of tokens fed per trajectory and turn: the decoder's chunk. */
  readonly chunk: number;
  readonly experimentSeed: number;
}

export class Dreams {
  readonly #backend: Backend;
  readonly #decoder: Decoder;
  readonly #update: Update;
  readonly #options: DreamsOptions;
  readonly #scorer: Scorer;

  /** Records its programs, allocates no tensor. Prepare the backend next. */
  constructor(backend: Backend, decoder: Decoder, update: Update, options: DreamsOptions) {
    const { environment, members } = options;
    this.#backend = backend;
    this.#decoder = decoder;
    this.#update = update;
    this.#options = options;
    this.#scorer = new Scorer(environment, update, members.length, decoder.trajectories);
  }

  /**
   * One dream an episode, in their order. round: keys the draws, together with the experiment and the member's seed.
   * Overwrites the hyperparameter table.
   */
  async of(episodes: readonly DreamedEpisode[], sampling: DreamSampling, round: number): Promise<Dream[]> {
    this.#setTemperature(sampling === 'greedy' ? GREEDY_TEMPERATURE : 1);
    this.#decoder.begin(this.#options.experimentSeed, STREAM.dream, round);
    const turns = episodes.map(({ roles }) => turnsOf(roles));
    const dreams = await this.#write(episodes, turns);
    const foreknowledge = await this.#foresee(episodes, turns, round);
    return episodes.map((episode, index) => ({
      ...compare(episode, turns[index], dreams[index]),
      ...foreknowledge[index],
    }));
  }

  #setTemperature(temperature: number): void {
    const hyper = new Float32Array(this.#options.members.length * HYPER_COLUMNS);
    for (let at = HYPER.temperature; at < hyper.length; at += HYPER_COLUMNS) hyper[at] = temperature;
    this.#backend.write(this.#update.hyper, hyper);
  }

  /** Dreams of every episode, one from each turn on. */
  async #write(episodes: readonly DreamedEpisode[], turns: readonly (readonly TurnSpan[])[]): Promise<Dreaming[][]> {
    const { environment, members, chunk } = this.#options;
    const dreams = episodes.map(({ member, tokens, roles }, index) =>
      (turns[index] ?? []).map(({ answer }): Dreaming => ({ member, tokens: tokens.slice(), roles, from: answer })),
    );
    const places = this.#decoder.trajectories;
    const longest = Math.max(0, ...dreams.map((own) => own.length));
    for (let first = 0; first < longest; first += places) {
      const { context, maxActionTokens } = environment;
      const sizes = { members: members.length, context, chunk, maxActionTokens, longest: mostDrawn(environment) };
      const batch = dreams.flatMap((own) => own.slice(first, first + places));
      await dream(this.#decoder, sizes, batch);
    }
    return dreams;
  }

  async #foresee(
    episodes: readonly DreamedEpisode[],
    turns: readonly (readonly TurnSpan[])[],
    round: number,
  ): Promise<Pick<Dream, 'crossEntropy' | 'sensitivity'>[]> {
    const { environment, members, experimentSeed } = this.#options;
    const swaps = episodes.map((episode, index) => {
      const { seed } = members[episode.member];
      const random = new RandomStream(experimentSeed, STREAM.otherActions, seed, round, 0);
      return swapActions(environment, episode.task, episode, turns[index] ?? [], random);
    });
    const logProbs = await this.#scorer.score([...episodes, ...swaps.flat().map(({ sequence }) => sequence)]);
    const swapped = logProbs.slice(episodes.length);
    return episodes.map((_, index) => {
      const ofEpisode = swaps[index] ?? [];
      const truth = logProbs[index];
      return {
        crossEntropy: crossEntropyOf(turns[index] ?? [], truth),
        sensitivity: sensitivityOf(ofEpisode, truth, swapped.splice(0, ofEpisode.length)),
      };
    });
  }
}

function crossEntropyOf(turns: readonly TurnSpan[], logProbs: ArrayLike<number>): number {
  let [sum, tokens] = [0, 0];
  for (const { answer, end } of turns) {
    for (let t = answer; t < end; t++) sum -= logProbs[t];
    tokens += end - answer;
  }
  return sum / tokens;
}

/** Comparison of an episode with its dreams, one from each turn on. */
function compare(
  { tokens }: DreamedEpisode,
  turns: readonly TurnSpan[],
  dreams: readonly Dreaming[],
): Omit<Dream, 'crossEntropy' | 'sensitivity'> {
  const next = tokens.slice();
  const dreamed = new Uint32Array(turns.length);
  const agreed = new Uint32Array(turns.length);
  dreams.forEach((dream, begin) => {
    const { answer, end } = turns[begin];
    next.set(dream.tokens.subarray(answer, end), answer);
    turns.slice(begin).forEach((turn, length) => {
      for (let t = turn.answer; t < turn.end; t++) {
        dreamed[length] += 1;
        agreed[length] += +(dream.tokens[t] === tokens[t]);
      }
    });
  });
  return { next, whole: dreams[0]?.tokens ?? tokens.slice(), dreamed, agreed };
}
