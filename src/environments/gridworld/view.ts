/**
 * The agent's view: the words of a gridworld and the tokens of an observation. Every token has an alphabet (first word and
 * number of words), from which noise draws its replacement.
 */
import { RandomStream } from '../../foundation/philox';
import { MALFORMED_WORD } from '../decoding';
import { listWords, MARKS, type WordKinds } from '../wordKinds';
import { DOOR_OPEN, EVENTS, type GridLayout, HOLE, KEY_HELD, KEY_LIES, MOVES, type Rules, WALL } from './rules';
import { type GridSettings, tellsMap } from './settings';

export const BOS = 1;
export const FIRST_MOVE = 2;
const FIRST_PLACE = FIRST_MOVE + MOVES.length;
export const NOISE_SYMBOLS = 16;

/** Words for neighbouring cells, by kind. */
const THING_KINDS: WordKinds = [
  ['floor', ['floor']],
  ['walls', ['wall']],
  ['holes, goal, key and door', ['hole', 'goal', 'key', 'door']],
];
const THINGS = THING_KINDS.flatMap(([, words]) => words);
const [SEEN_FLOOR, SEEN_WALL, SEEN_HOLE, SEEN_GOAL, SEEN_KEY, SEEN_DOOR] = [0, 1, 2, 3, 4, 5] as const;

/** Names of cells like `k7`, in a fixed shuffled order: cell i of any grid has the i-th. */
function cellNames(count: number): string[] {
  const names: string[] = [];
  for (const letter of 'bdfghjkmnpqrstvwxz') for (const digit of '23456789') names.push(letter + digit);
  const random = new RandomStream(0x6d6170, 0, 0, 0, 0);
  for (let last = names.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [names[last], names[other]] = [names[other], names[last]];
  }
  return names.slice(0, count);
}

const numbered = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`);

/** Words for signed offsets: `x-2`, `x+0`, `x+3`. */
const offsets = (prefix: string, most: number): string[] =>
  numbered('', -most, most).map((offset) => prefix + (offset.startsWith('-') ? offset : `+${offset}`));

export class GridView {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  /** Tokens of one observation, without noise tokens. */
  readonly length: number;
  /** Tokens that name one cell; 0 where cells have no names. */
  readonly placeLength: number;
  /** Alphabet of each token: first word and number of words. */
  readonly first: readonly number[];
  readonly count: readonly number[];
  readonly firstNoise: number;
  /** Word that begins the list of walls; −1 where the prompt does not name them. */
  readonly wallsWord: number;
  readonly malformedWord: number;
  readonly #rules: Rules;
  readonly #firstEvent: number;

  constructor(settings: GridSettings, rules: Rules) {
    const { size, observation } = settings;
    const kinds: WordKinds[number][] = [MARKS, ['moves', MOVES]];
    let words = FIRST_PLACE;
    const first: number[] = [];
    const count: number[] = [];
    /** Adds words, as the alphabet of `tokens` tokens of an observation; returns the first. */
    const add = (added: WordKinds, tokens: number): number => {
      const at = words;
      kinds.push(...added);
      for (const [, { length }] of added) words += length;
      for (let token = 0; token < tokens; token++) {
        first.push(at);
        count.push(words - at);
      }
      return at;
    };
    if (observation === 'opaque') add([['cell names', cellNames(rules.cells)]], 1);
    if (observation === 'coordinates') {
      add([['columns', numbered('x', 0, size - 1)]], 1);
      add([['rows', numbered('y', 0, size - 1)]], 1);
    }
    if (observation === 'egocentric') {
      add(THING_KINDS, 4);
      for (const axis of ['x', 'y']) add([['distances to the goal', offsets(axis, size - 1)]], 1);
    }
    this.#firstEvent = settings.puzzle === 'reach' ? -1 : add([['what happened', EVENTS]], 1);
    this.firstNoise = settings.noiseTokens > 0 ? add([['noise', numbered('#', 0, NOISE_SYMBOLS - 1)]], 0) : -1;
    this.wallsWord = tellsMap(settings) ? add([['headings of the map', ['walls', 'holes']]], 0) : -1;
    this.malformedWord = settings.decoding.free ? add([['complaints', [MALFORMED_WORD]]], 0) : -1;
    ({ words: this.words, kinds: this.kinds } = listWords(kinds));
    this.length = first.length;
    this.placeLength = { opaque: 1, coordinates: 2, egocentric: 0 }[observation];
    this.first = first;
    this.count = count;
    this.#rules = rules;
  }

  /** Writes the name of a cell; returns its number of tokens. */
  place(cell: number, out: Uint16Array): number {
    const { size } = this.#rules;
    if (this.placeLength === 1) {
      out[0] = FIRST_PLACE + cell;
      return 1;
    }
    if (this.placeLength === 2) {
      out[0] = FIRST_PLACE + (cell % size);
      out[1] = FIRST_PLACE + size + Math.floor(cell / size);
      return 2;
    }
    return 0;
  }

  /** The cell whose name begins an observation; −1 if none does. */
  cellNamed(observation: ArrayLike<number>): number {
    const { size, cells } = this.#rules;
    const first = (observation[0] ?? 0) - FIRST_PLACE;
    if (this.placeLength === 1) return first >= 0 && first < cells ? first : -1;
    const second = (observation[1] ?? 0) - FIRST_PLACE - size;
    const isPlace = this.placeLength === 2 && first >= 0 && first < size && second >= 0 && second < size;
    return isPlace ? second * size + first : -1;
  }

  /** Writes the observation of a state reached with an event; returns its length. */
  write(layout: GridLayout, state: number, event: number, out: Uint16Array): number {
    let length = this.place(this.#rules.agentOf(state), out);
    if (length === 0) length = this.#look(layout, state, out);
    if (this.#firstEvent >= 0) out[length++] = this.#firstEvent + event;
    return length;
  }

  /** Writes the four neighbours, then the columns and rows to the next cell to reach. */
  #look(layout: GridLayout, state: number, out: Uint16Array): number {
    const { size, neighbours } = this.#rules;
    const agent = this.#rules.agentOf(state);
    for (let move = 0; move < 4; move++) {
      const cell = neighbours[agent * 4 + move];
      out[move] = FIRST_PLACE + (cell === agent ? SEEN_WALL : this.#seen(layout, state, cell));
    }
    const target = this.target(layout, state);
    const firstOffset = FIRST_PLACE + THINGS.length + size - 1;
    out[4] = firstOffset + (target % size) - (agent % size);
    out[5] = firstOffset + (2 * size - 1) + Math.floor(target / size) - Math.floor(agent / size);
    return 6;
  }

  #seen({ floor, goal, key, door }: GridLayout, state: number, cell: number): number {
    if (floor[cell] === WALL) return SEEN_WALL;
    if (floor[cell] === HOLE) return SEEN_HOLE;
    if (cell === goal) return SEEN_GOAL;
    const progress = this.#rules.hasDoor ? this.#rules.doorOf(state) : DOOR_OPEN;
    if (cell === key && progress === KEY_LIES) return SEEN_KEY;
    return cell === door && progress !== DOOR_OPEN ? SEEN_DOOR : SEEN_FLOOR;
  }

  /** The cell to go to next: the key, then the door, then the goal. */
  target({ goal, key, door }: GridLayout, state: number): number {
    if (!this.#rules.hasDoor) return goal;
    const progress = this.#rules.doorOf(state);
    return progress === KEY_LIES ? key : progress === KEY_HELD ? door : goal;
  }
}
