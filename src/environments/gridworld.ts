/**
 * An opaque map: a square grid in which every cell is one token with a name that says nothing about where it lies. The
 * agent is told the goal's name and its own, moves, and is told the name of the cell it is on afterwards (the same one
 * after a bump). Reward 1 on reaching the goal within the horizon, else 0: where the cells lie has to be learned.
 */
import { LabError } from '../foundation/errors';
import { RandomStream } from '../foundation/philox';
import { ROLE } from '../foundation/roles';
import type {
  BoardFrame,
  Emission,
  Environment,
  EnvironmentDefinition,
  EnvironmentSettings,
  World,
} from './environment';

const SPECIAL_WORDS = ['<pad>', '<bos>'] as const;
const MOVES = ['up', 'down', 'left', 'right'] as const;
const FIRST_MOVE = SPECIAL_WORDS.length;
const FIRST_CELL = FIRST_MOVE + MOVES.length;
const BOS = 1;

/** Column and row steps, in the order of MOVES. */
const STEPS = [
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
] as const;

export const gridworld: EnvironmentDefinition = {
  id: 'gridworld',
  title: 'Opaque map',
  summary: 'Walk to the named cell of a grid whose cell names do not tell where they lie.',
  settings: [
    {
      key: 'size',
      label: 'Grid size',
      help: 'Cells along each side of the square map; every cell is a token of its own.',
      type: 'integer',
      default: 6,
      min: 3,
      max: 8,
    },
    {
      key: 'horizon',
      label: 'Horizon',
      help: 'Turns after which an episode ends without reward.',
      type: 'integer',
      default: 12,
      min: 1,
      max: 48,
    },
    {
      key: 'minimumDistance',
      label: 'Minimum distance',
      help: 'Fewest steps between start and goal: larger is rarer luck for a policy that knows nothing.',
      type: 'integer',
      default: 3,
      min: 1,
      max: 14,
    },
  ],
  create: (settings) => new Gridworld(settings),
};

/** Integer settings, with defaults for what is left out. */
interface Geometry {
  readonly size: number;
  readonly horizon: number;
  readonly minimumDistance: number;
}

function geometryOf(settings: EnvironmentSettings): Geometry {
  const value = (key: keyof Geometry): number => {
    const setting = gridworld.settings.find((candidate) => candidate.key === key);
    return Number(settings[key] ?? setting?.default);
  };
  return { size: value('size'), horizon: value('horizon'), minimumDistance: value('minimumDistance') };
}

/** Names of the form `k7`, in a fixed shuffled order: cell i of any grid has the i-th. */
function cellNames(count: number): string[] {
  const names: string[] = [];
  for (const letter of 'bdfghjkmnpqrstvwxz') for (const digit of '23456789') names.push(letter + digit);
  const random = new RandomStream(0x6d6170, 0, 0, 0, 0);
  for (let last = names.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [names[last], names[other]] = [names[other] as string, names[last] as string];
  }
  return names.slice(0, count);
}

/** Destination of each move from each cell, [cells, 4]; a bump stays. */
function transitionTable(size: number): Uint8Array {
  const table = new Uint8Array(size * size * MOVES.length);
  for (let cell = 0; cell < size * size; cell++) {
    STEPS.forEach(([dx, dy], move) => {
      const x = Math.min(size - 1, Math.max(0, (cell % size) + dx));
      const y = Math.min(size - 1, Math.max(0, Math.floor(cell / size) + dy));
      table[cell * MOVES.length + move] = y * size + x;
    });
  }
  return table;
}

function distance(size: number, a: number, b: number): number {
  return Math.abs((a % size) - (b % size)) + Math.abs(Math.floor(a / size) - Math.floor(b / size));
}

/** All (start, goal) pairs far enough apart, flattened: [pairs, 2]. */
function eligiblePairs({ size, minimumDistance }: Geometry): Uint8Array {
  const pairs: number[] = [];
  for (let start = 0; start < size * size; start++) {
    for (let goal = 0; goal < size * size; goal++) {
      if (distance(size, start, goal) >= minimumDistance) pairs.push(start, goal);
    }
  }
  return Uint8Array.from(pairs);
}

/** Probability that a uniform random walk meets the goal within the horizon, averaged over the pairs: exact. */
function randomWalkSuccess(transitions: Uint8Array, pairs: Uint8Array, horizon: number): number {
  const cells = transitions.length / MOVES.length;
  const hit = new Float64Array(cells * cells); // [goal, start]
  let now = new Float64Array(cells);
  let next = new Float64Array(cells);
  for (let goal = 0; goal < cells; goal++) {
    now.fill(0);
    for (let turn = 0; turn < horizon; turn++) {
      for (let cell = 0; cell < cells; cell++) {
        let sum = 0;
        for (let move = 0; move < MOVES.length; move++) {
          const to = transitions[cell * MOVES.length + move] as number;
          sum += to === goal ? 1 : (now[to] as number);
        }
        next[cell] = sum / MOVES.length;
      }
      [now, next] = [next, now];
    }
    hit.set(now, goal * cells);
  }
  let total = 0;
  for (let i = 0; i < pairs.length; i += 2)
    total += hit[(pairs[i + 1] as number) * cells + (pairs[i] as number)] as number;
  return total / (pairs.length / 2);
}

class Gridworld implements Environment {
  readonly words: readonly string[];
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens = 1;
  readonly stopToken = -1;
  readonly maxObservationTokens = 1;
  readonly legalSets = [MOVES.map((_, move) => FIRST_MOVE + move)];
  readonly #pairs: Uint8Array;
  readonly #transitions: Uint8Array;
  #randomSuccess: number | null = null;

  constructor(settings: EnvironmentSettings) {
    const geometry = geometryOf(settings);
    this.words = [...SPECIAL_WORDS, ...MOVES, ...cellNames(geometry.size ** 2)];
    this.context = 3 + 2 * geometry.horizon;
    this.maxTurns = geometry.horizon;
    this.#transitions = transitionTable(geometry.size);
    this.#pairs = eligiblePairs(geometry);
    if (this.#pairs.length === 0) {
      const farthest = 2 * (geometry.size - 1);
      throw new LabError(
        'invalid-experiment',
        `No two cells of a ${geometry.size}×${geometry.size} grid are ${geometry.minimumDistance} steps apart.`,
        `Choose a minimum distance of at most ${farthest}, or a larger grid.`,
      );
    }
  }

  get randomSuccess(): number {
    this.#randomSuccess ??= randomWalkSuccess(this.#transitions, this.#pairs, this.maxTurns);
    return this.#randomSuccess;
  }

  /** A task is [start cell, goal cell]. */
  drawTask(random: RandomStream): Int32Array {
    const pair = 2 * random.below(this.#pairs.length / 2);
    return Int32Array.of(this.#pairs[pair] as number, this.#pairs[pair + 1] as number);
  }

  createWorld(slots: number): World {
    return new GridworldSlots(slots, this.maxTurns, this.#transitions);
  }
}

class GridworldSlots implements World {
  readonly #transitions: Uint8Array;
  readonly #horizon: number;
  readonly #cell: Uint8Array;
  readonly #goal: Uint8Array;
  readonly #turn: Uint16Array;

  constructor(slots: number, horizon: number, transitions: Uint8Array) {
    this.#transitions = transitions;
    this.#horizon = horizon;
    this.#cell = new Uint8Array(slots);
    this.#goal = new Uint8Array(slots);
    this.#turn = new Uint16Array(slots);
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    const start = task[0] as number;
    const goal = task[1] as number;
    this.#cell[slot] = start;
    this.#goal[slot] = goal;
    this.#turn[slot] = 0;
    emission.emit(BOS, 'prompt');
    emission.emit(FIRST_CELL + goal, 'prompt');
    emission.emit(FIRST_CELL + start, 'prompt');
  }

  legalSet(): number {
    return 1;
  }

  /** A token that is no move counts as a turn spent on the spot. Nothing happens once the episode is over. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (this.isDone(slot)) return;
    const move = (action[0] ?? 0) - FIRST_MOVE;
    const cell = this.#cell[slot] as number;
    const isMove = move >= 0 && move < MOVES.length;
    const to = isMove ? (this.#transitions[cell * MOVES.length + move] as number) : cell;
    this.#cell[slot] = to;
    this.#turn[slot] = (this.#turn[slot] as number) + 1;
    emission.emit(FIRST_CELL + to, 'observation');
  }

  isDone(slot: number): boolean {
    return this.isSuccess(slot) || (this.#turn[slot] as number) >= this.#horizon;
  }

  reward(slot: number): number {
    return this.isSuccess(slot) ? 1 : 0;
  }

  isSuccess(slot: number): boolean {
    return this.#cell[slot] === this.#goal[slot];
  }
}

/** The scripted expert: the token of a move on a shortest path, along the row first. */
export function expertMove(settings: EnvironmentSettings, cell: number, goal: number): number {
  const { size } = geometryOf(settings);
  const dx = (goal % size) - (cell % size);
  const dy = Math.floor(goal / size) - Math.floor(cell / size);
  const name = dx !== 0 ? (dx < 0 ? 'left' : 'right') : dy < 0 ? 'up' : 'down';
  return FIRST_MOVE + MOVES.indexOf(name);
}

/** The board at the prompt and after every turn, from a trajectory's tokens. Stops at the first token that is no cell. */
export function boardFrames(
  settings: EnvironmentSettings,
  tokens: ArrayLike<number>,
  roles: ArrayLike<number>,
): BoardFrame[] {
  const { size } = geometryOf(settings);
  const place = (index: number): readonly [number, number] | null => {
    const cell = (tokens[index] ?? 0) - FIRST_CELL;
    return cell >= 0 && cell < size * size ? [cell % size, Math.floor(cell / size)] : null;
  };
  const frames: BoardFrame[] = [];
  const goal = place(1);
  if (goal === null) return frames;
  for (let index = 2; index < tokens.length; index++) {
    if (index > 2 && roles[index] !== ROLE.observation) continue;
    const agent = place(index);
    if (agent === null) break;
    frames.push({ width: size, height: size, agent, goal, walls: [] });
  }
  return frames;
}
