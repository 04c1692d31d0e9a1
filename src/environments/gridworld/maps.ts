/** Maps: places of walls, holes and the door. Open cells stay connected, so that every goal can be reached. */
import type { RandomStream } from '../../foundation/philox';
import { FLOOR, HOLE, WALL } from './rules';
import type { GridSettings } from './settings';

export interface GridMap {
  /** FLOOR, WALL or HOLE of each cell. */
  readonly floor: Uint8Array;
  /** Cell of the door; −1 without one. */
  readonly door: number;
}

/** Smallest number of open cells of a map. */
const LEAST_OPEN = 4;

export function wallCount({ size, walls, puzzle }: GridSettings): number {
  return Math.round(walls * size * size) + (puzzle === 'key-door' ? size - 1 : 0);
}

export function holeCount({ size, holes }: GridSettings): number {
  return Math.round(holes * size * size);
}

export function drawMap(settings: GridSettings, neighbours: Uint8Array, random: RandomStream): GridMap {
  const { size, puzzle } = settings;
  const floor = new Uint8Array(size * size);
  let door = -1;
  if (puzzle === 'key-door') {
    const column = 1 + random.below(size - 2);
    door = random.below(size) * size + column;
    for (let y = 0; y < size; y++) if (y * size + column !== door) floor[y * size + column] = WALL;
  }
  const order = shuffled(size * size, random);
  const further = wallCount(settings) - (puzzle === 'key-door' ? size - 1 : 0);
  carve(floor, order, door, WALL, further, neighbours);
  carve(floor, order, door, HOLE, holeCount(settings), neighbours);
  return { floor, door };
}

/** Turns `count` open cells into walls or holes, except cells without which the rest would not be connected. */
function carve(
  floor: Uint8Array,
  order: readonly number[],
  door: number,
  kind: number,
  count: number,
  neighbours: Uint8Array,
): void {
  let left = count;
  for (let before = -1; left > 0 && before !== left; ) {
    before = left;
    for (const cell of order) {
      if (left === 0) return;
      if (floor[cell] !== FLOOR || cell === door) continue;
      floor[cell] = kind;
      if (isConnected(floor, neighbours)) left--;
      else floor[cell] = FLOOR;
    }
  }
}

function isConnected(floor: Uint8Array, neighbours: Uint8Array): boolean {
  let open = 0;
  for (const kind of floor) if (kind === FLOOR) open++;
  if (open < LEAST_OPEN) return false;
  return distancesFrom(floor.indexOf(FLOOR), floor, neighbours).filter((steps) => steps >= 0).length === open;
}

/** Smallest number of steps over open floor from one cell to each; −1 where there is no way. */
export function distancesFrom(start: number, floor: Uint8Array, neighbours: Uint8Array): Int16Array {
  const steps = new Int16Array(floor.length).fill(-1);
  const queue = [start];
  steps[start] = 0;
  for (let at = 0; at < queue.length; at++) {
    const cell = queue[at];
    for (let move = 0; move < 4; move++) {
      const to = neighbours[cell * 4 + move];
      if (steps[to] !== -1 || floor[to] !== FLOOR) continue;
      steps[to] = steps[cell] + 1;
      queue.push(to);
    }
  }
  return steps;
}

function shuffled(count: number, random: RandomStream): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
