/**
 * Rules of a step. A state is one integer: the agent's cell, plus the number of cells times all else that can change (the
 * progress of key and door, or the cells of the boxes). World, planner and belief step by the same function.
 */
export const MOVES = ['up', 'down', 'left', 'right'] as const;
export const FLOOR = 0;
export const WALL = 1;
export const HOLE = 2;

export const EVENTS = ['moved', 'bumped', 'took-key', 'locked', 'opened', 'pushed', 'arrived', 'fell'] as const;
const [MOVED, TOOK_KEY, LOCKED, OPENED, PUSHED] = [0, 2, 3, 4, 5] as const;
export const BUMPED = 1;
export const ARRIVED = 6;
export const FELL = 7;

/** Progress of key and door. */
export const KEY_LIES = 0;
export const KEY_HELD = 1;
export const DOOR_OPEN = 2;

/** Parts of an episode that do not change. Cells are indices row by row; −1 where there is none. */
export interface GridLayout {
  floor: Uint8Array;
  /** The goal, or the first box's target. */
  goal: number;
  secondTarget: number;
  key: number;
  door: number;
}

/** Column and row steps, in the order of MOVES. */
const STEPS = [
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
] as const;

/** Destination of each move from each cell of an empty board, [cells, 4]; the edge stops. */
function neighbourTable(size: number): Uint8Array {
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

/** First of the two directions at right angles to one; the second is the next number. */
export function sideOf(direction: number): number {
  return direction < 2 ? 2 : 0;
}

export class Rules {
  readonly size: number;
  readonly cells: number;
  readonly neighbours: Uint8Array;
  readonly hasDoor: boolean;
  readonly boxes: number;
  /** Number of states. */
  readonly states: number;
  /** Event of the last step, an index of EVENTS. */
  event: number = MOVED;

  constructor(size: number, puzzle: 'reach' | 'key-door' | 'boxes', boxes: number) {
    this.size = size;
    this.cells = size * size;
    this.neighbours = neighbourTable(size);
    this.hasDoor = puzzle === 'key-door';
    this.boxes = boxes;
    this.states = this.cells * (this.hasDoor ? 3 : this.cells ** boxes);
  }

  agentOf(state: number): number {
    return state < this.cells ? state : state % this.cells;
  }

  /** Progress of key and door: KEY_LIES, KEY_HELD or DOOR_OPEN. */
  doorOf(state: number): number {
    return Math.floor(state / this.cells);
  }

  boxOf(state: number, box: number): number {
    const { cells } = this;
    return box === 0 ? Math.floor(state / cells) % cells : Math.floor(state / (cells * cells));
  }

  stateOf(agent: number, boxes: readonly number[]): number {
    return agent + this.cells * ((boxes[0] ?? 0) + this.cells * (boxes[1] ?? 0));
  }

  succeeded({ goal, secondTarget }: GridLayout, state: number): boolean {
    if (this.boxes === 0) return this.agentOf(state) === goal;
    const first = this.boxOf(state, 0);
    if (this.boxes === 1) return first === goal;
    const second = this.boxOf(state, 1);
    return (first === goal && second === secondTarget) || (first === secondTarget && second === goal);
  }

  fell({ floor }: GridLayout, state: number): boolean {
    return floor[this.agentOf(state)] === HOLE;
  }

  /** The state after one step in a direction (an index of MOVES); sets `event`. */
  step(layout: GridLayout, state: number, direction: number): number {
    const agent = this.agentOf(state);
    const to = this.neighbours[agent * 4 + direction];
    if (to === agent || layout.floor[to] === WALL) {
      this.event = BUMPED;
      return state;
    }
    this.event = MOVED;
    let next = state - agent + to;
    if (this.hasDoor) next = this.#passDoor(layout, state, next, to);
    else if (this.boxes > 0) next = this.#push(layout, state, next, to, direction);
    if (next === state) return state;
    if (layout.floor[to] === HOLE) this.event = FELL;
    else if (this.succeeded(layout, next)) this.event = ARRIVED;
    return next;
  }

  #passDoor({ key, door }: GridLayout, state: number, next: number, to: number): number {
    const progress = this.doorOf(state);
    if (to === door && progress === KEY_LIES) {
      this.event = LOCKED;
      return state;
    }
    if ((to === door && progress === KEY_HELD) || (to === key && progress === KEY_LIES)) {
      this.event = to === door ? OPENED : TOOK_KEY;
      return next + this.cells;
    }
    return next;
  }

  #push({ floor }: GridLayout, state: number, next: number, to: number, direction: number): number {
    const first = this.boxOf(state, 0);
    const second = this.boxes === 2 ? this.boxOf(state, 1) : -1;
    if (to !== first && to !== second) return next;
    const beyond = this.neighbours[to * 4 + direction];
    if (beyond === to || floor[beyond] !== FLOOR || beyond === first || beyond === second) {
      this.event = BUMPED;
      return state;
    }
    this.event = PUSHED;
    return next + (beyond - to) * (to === first ? this.cells : this.cells * this.cells);
  }
}
