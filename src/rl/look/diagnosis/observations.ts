/**
 * The policy's knowledge of the world, by slices of the observation tokens: by kind of word, by whether the word was said
 * before in the episode, by turn, and by how the episode ended. Tokens are counted before the next rollout overwrites the
 * trajectories; the log-probs follow when the device has computed them.
 */
import type { Environment } from '../../../environments/environment';
import { turnsOf } from '../../../environments/replay';
import { ROLE } from '../../../foundation/roles';
import type { Trajectories } from '../../play/trajectories';
import type { Slice, SliceNumbers } from './table';

/** Slices by turn; `end`: the first turn after the slice, counted from 0. */
const TURN_SPANS = [
  { name: 'turn 1', end: 1 },
  { name: 'turns 2 to 4', end: 4 },
  { name: 'turn 5 and later', end: Number.POSITIVE_INFINITY },
] as const;

const NO_KIND = 'words';

/** Kinds of words: the index in `names` of each word's kind, for each part of a mixture. A single environment is one part. */
interface Kinds {
  readonly names: readonly string[];
  readonly ofPart: readonly Uint16Array[];
}

function kindsOf(environment: Environment): Kinds {
  const parts = environment.parts ?? [{ id: null, environment }];
  const names: string[] = [];
  const number = (name: string): number => {
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  };
  const ofPart = parts.map(({ id, environment: { words, kinds } }) =>
    Uint16Array.from(environment.words, (word) => {
      const index = words.indexOf(word);
      // The word belongs to another world and is never said in this one.
      if (index < 0) return 0;
      const kind = kinds?.[index] ?? NO_KIND;
      return number(id === null ? kind : `${id}: ${kind}`);
    }),
  );
  return { names, ofPart };
}

const add = (sums: Float64Array, at: number, value: number): void => {
  sums[at] += value;
};

/** Observation tokens of a member. */
interface Member {
  /** Index of each token in [P, B, T]. */
  readonly places: number[];
  /** Slices of each token, one of each cut. */
  readonly slices: number[][];
  readonly tokens: Float64Array;
  readonly marginal: Float64Array;
  readonly floor: Float64Array;
}

export class ObservationSlices {
  readonly slices: readonly Slice[];
  readonly #kinds: Kinds;
  readonly #vocabulary: number;
  /** First slice of each cut. */
  readonly #first: Readonly<Record<Slice['cut'], number>>;

  constructor(environment: Environment) {
    this.#kinds = kindsOf(environment);
    this.#vocabulary = environment.words.length;
    const slicesOf = (cut: Slice['cut'], names: readonly string[]): Slice[] => names.map((name) => ({ cut, name }));
    this.slices = [
      ...slicesOf('all', ['all observations']),
      ...slicesOf('kind', this.#kinds.names),
      ...slicesOf('novelty', ['said before in the episode', 'said for the first time']),
      ...slicesOf(
        'turn',
        TURN_SPANS.map(({ name }) => name),
      ),
      ...slicesOf('outcome', ['episodes that succeed', 'episodes that fail']),
    ];
    const first = (cut: Slice['cut']): number => this.slices.findIndex((slice) => slice.cut === cut);
    this.#first = {
      all: 0,
      kind: first('kind'),
      novelty: first('novelty'),
      turn: first('turn'),
      outcome: first('outcome'),
    };
  }

  /**
   * Counts the tokens of every slice. The result takes the log-probs under the policy that acted, [P, B, T], and gives the
   * slices' numbers, [P][slices].
   */
  count(trajectories: Trajectories): (logProbs: ArrayLike<number>) => SliceNumbers[][] {
    const members = Array.from({ length: trajectories.members }, (_, member) => this.#member(trajectories, member));
    return (logProbs) => members.map((member) => numbersOf(member, logProbs));
  }

  #member(trajectories: Trajectories, member: number): Member {
    const S = this.slices.length;
    const diagnosed: Member = {
      places: [],
      slices: [],
      tokens: new Float64Array(S),
      marginal: new Float64Array(S),
      floor: new Float64Array(S),
    };
    const { count } = trajectories;
    for (let i = member * count; i < (member + 1) * count; i++) this.#trajectory(trajectories, i, diagnosed);
    const counts = new Float64Array(this.#vocabulary);
    const wordAt = (place: number): number => trajectories.tokens[place];
    for (const place of diagnosed.places) add(counts, wordAt(place), 1);
    diagnosed.places.forEach((place, k) => {
      const surprise = -Math.log(counts[wordAt(place)] / diagnosed.places.length);
      for (const slice of diagnosed.slices[k]) add(diagnosed.marginal, slice, surprise);
    });
    return diagnosed;
  }

  #trajectory(trajectories: Trajectories, i: number, diagnosed: Member): void {
    const { context, lengths, roles, tokens } = trajectories;
    const from = i * context;
    const end = from + lengths[i];
    const episode = tokens.subarray(from, end);
    turnsOf(roles.subarray(from, end)).forEach((span, turn) => {
      const answer: number[][] = [];
      for (let t = span.answer; t < span.end; t++) {
        if (roles[from + t] !== ROLE.observation) continue;
        const wasTold = episode.indexOf(episode[t]) < t;
        const slices = this.#slicesOf(trajectories, i, turn, episode[t], wasTold);
        diagnosed.places.push(from + t);
        diagnosed.slices.push(slices);
        answer.push(slices);
        for (const slice of slices) add(diagnosed.tokens, slice, 1);
      }
      addFloor(trajectories.turnFloor(i, turn), answer, diagnosed.floor);
    });
  }

  #slicesOf(trajectories: Trajectories, i: number, turn: number, token: number, wasTold: boolean): number[] {
    const { all, kind, novelty, turn: firstTurn, outcome } = this.#first;
    const part = this.#kinds.ofPart[trajectories.environments[i]];
    return [
      all,
      kind + part[token],
      novelty + (wasTold ? 0 : 1),
      firstTurn + TURN_SPANS.findIndex(({ end }) => turn < end),
      outcome + (trajectories.successes[i] === 1 ? 0 : 1),
    ];
  }
}

/**
 * Adds an answer's floor to the slices of its tokens. Only the floor of the whole answer is known. A slice with some of the
 * tokens gets NaN, unless the floor is 0: then that of each token is 0 too.
 */
function addFloor(floor: number, answer: readonly (readonly number[])[], sums: Float64Array): void {
  const tokens = new Map<number, number>();
  for (const slice of answer.flat()) tokens.set(slice, (tokens.get(slice) ?? 0) + 1);
  for (const [slice, count] of tokens) {
    add(sums, slice, count === answer.length || floor === 0 ? floor : Number.NaN);
  }
}

function numbersOf({ places, slices, tokens, marginal, floor }: Member, logProbs: ArrayLike<number>): SliceNumbers[] {
  const crossEntropy = new Float64Array(tokens.length);
  places.forEach((place, k) => {
    for (const slice of slices[k]) add(crossEntropy, slice, -logProbs[place]);
  });
  const mean = (sums: Float64Array, slice: number): number => sums[slice] / tokens[slice];
  return Array.from(tokens, (count, slice) => ({
    tokens: count,
    crossEntropy: mean(crossEntropy, slice),
    marginal: mean(marginal, slice),
    floor: mean(floor, slice),
  }));
}
