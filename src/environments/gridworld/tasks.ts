/**
 * Tasks of the gridworld: a few integers that fully define an episode. A plain map's task is [start, goal]; other worlds
 * have all fields of FIELD.
 */
import { LabError } from '../../foundation/errors';
import { philox4x32, RandomStream, toUnitFloat } from '../../foundation/philox';
import type { Split } from '../environment';
import { distancesFrom, drawMap, type GridMap } from './maps';
import { shortestPlan } from './plan';
import { FLOOR, type GridLayout, HOLE, type Rules, WALL } from './rules';
import { CONTROLS, type GridSettings, hasChance, hasOwnMaps } from './settings';

const FIELD = {
  start: 0,
  goal: 1,
  dice: 2,
  controls: 3,
  key: 4,
  door: 5,
  box: 6,
  secondBox: 7,
  secondTarget: 8,
  /** Walls, then holes, as two 32-bit sets each. */
  walls: 9,
  holes: 11,
} as const;
const FIELDS = 13;

/** Smallest number of tasks among CANDIDATES drawn; with fewer the settings are refused. */
const ENOUGH = 3;
const CANDIDATES = 2500;
/**
 * Largest number of candidates drawn for one task: if one in a thousand is a task, all fail with a probability below 1e-43.
 */
const TRIES = 100_000;

type Candidate = Partial<Record<keyof typeof FIELD, number>> & { start: number; goal: number };

/** Orders of the four moves, [orders, 4]: one (known), two (normal and inverted) or all 24. */
export function controlTable(controls: GridSettings['controls']): Uint8Array {
  if (controls === 'known') return Uint8Array.of(0, 1, 2, 3);
  if (controls === 'inverted') return Uint8Array.of(0, 1, 2, 3, 1, 0, 3, 2);
  const orders: number[] = [];
  const extend = (order: number[]): void => {
    if (order.length === 4) orders.push(...order);
    for (let move = 0; move < 4; move++) if (!order.includes(move)) extend([...order, move]);
  };
  extend([]);
  return Uint8Array.from(orders);
}

export class GridTasks {
  readonly #settings: GridSettings;
  readonly #rules: Rules;
  readonly #isPlain: boolean;
  readonly fixedMap: GridMap;
  readonly hasOwnMaps: boolean;
  /** All (start, goal) pairs, [pairs, 2], of the walking puzzle on a fixed map; null in other worlds. */
  readonly pairs: Uint8Array | null;

  constructor(settings: GridSettings, rules: Rules) {
    this.#settings = settings;
    this.#rules = rules;
    this.hasOwnMaps = hasOwnMaps(settings);
    this.fixedMap = drawMap(settings, rules.neighbours, new RandomStream(0x666c6f6f, 0, settings.mapSeed, 0, 0));
    const walking = settings.puzzle === 'reach';
    this.#isPlain = walking && !this.hasOwnMaps && !hasChance(settings) && settings.controls === CONTROLS[0];
    this.pairs = walking && !this.hasOwnMaps ? this.#pairsOf(this.fixedMap.floor) : null;
    this.#requireTasks('train');
    if (settings.heldOut > 0) this.#requireTasks('held-out');
  }

  draw(random: RandomStream, split: Split): Int32Array {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const task = this.#tryToDraw(random, split);
      if (task !== null) return task;
    }
    throw this.#tooFew(0, TRIES, split);
  }

  /** Draws one candidate; null where it is no task of this split. */
  #tryToDraw(random: RandomStream, split: Split): Int32Array | null {
    const map = this.hasOwnMaps ? drawMap(this.#settings, this.#rules.neighbours, random) : this.fixedMap;
    const candidate = this.#candidate(map, random);
    if (candidate === null || this.#isHeldOut(candidate) !== (split === 'held-out')) return null;
    return this.#isPlain ? Int32Array.of(candidate.start, candidate.goal) : this.#encode(candidate, map, random);
  }

  /** Throws LabError where tasks are so rare that drawing one may fail. */
  #requireTasks(split: Split): void {
    const random = new RandomStream(0x74657374, 0, 0, 0, 0);
    let found = 0;
    for (let attempt = 0; attempt < CANDIDATES && found < ENOUGH; attempt++) {
      if (this.#tryToDraw(random, split) !== null) found++;
    }
    if (found < ENOUGH) throw this.#tooFew(found, CANDIDATES, split);
  }

  #tooFew(found: number, candidates: number, split: Split): LabError {
    const { size, minimumDistance } = this.#settings;
    const isFew = found > 0 || split === 'held-out';
    const rare = `Only ${found} of ${candidates.toLocaleString('en')} ${split === 'held-out' ? 'tasks drawn are held out' : 'maps drawn have a task'} as the settings ask, too few to draw from.`;
    const none = `No two cells of this ${size}×${size} grid are ${minimumDistance} steps apart as the settings ask; an empty one has at most ${2 * (size - 1)}.`;
    const easier = 'a smaller minimum distance, a longer horizon, fewer walls or holes, or a larger grid';
    const advice = split === 'held-out' ? `Choose a larger held-out share, or ${easier}.` : `Choose ${easier}.`;
    return new LabError('invalid-experiment', isFew ? rare : none, advice);
  }

  /** A task of the walking puzzle with another goal and all else the same; null where training never draws it. */
  withGoal(task: Int32Array, goal: number): Int32Array | null {
    const layout = this.emptyLayout();
    const start = this.load(task, layout);
    const steps = distancesFrom(start, layout.floor, this.#rules.neighbours)[goal];
    if (!this.#isFarEnough(steps) || this.#isHeldOut({ start, goal })) return null;
    const other = task.slice();
    other[FIELD.goal] = goal;
    return other;
  }

  /** Writes a task's map and goal into `layout`; returns the first state. */
  load(task: Int32Array, layout: GridLayout): number {
    const field = (name: keyof typeof FIELD): number => task[FIELD[name]] ?? -1;
    layout.goal = field('goal');
    if (this.hasOwnMaps) {
      for (let cell = 0; cell < layout.floor.length; cell++) {
        const isIn = (set: number): boolean => (((task[set + (cell >> 5)] ?? 0) >>> (cell & 31)) & 1) === 1;
        layout.floor[cell] = isIn(FIELD.walls) ? WALL : isIn(FIELD.holes) ? HOLE : FLOOR;
      }
    }
    if (this.#rules.hasDoor) {
      layout.key = field('key');
      layout.door = field('door');
    }
    if (this.#rules.boxes === 0) return field('start');
    layout.secondTarget = field('secondTarget');
    const second = this.#rules.boxes === 2 ? field('secondBox') : 0;
    return this.#rules.stateOf(field('start'), [field('box'), second]);
  }

  emptyLayout(): GridLayout {
    const floor = this.hasOwnMaps ? new Uint8Array(this.#rules.cells) : this.fixedMap.floor;
    return { floor, goal: -1, secondTarget: -1, key: -1, door: -1 };
  }

  controlsOf(task: Int32Array): number {
    return task[FIELD.controls] ?? 0;
  }

  diceOf(task: Int32Array): number {
    return task[FIELD.dice] ?? 0;
  }

  #encode(candidate: Candidate, { floor, door }: GridMap, random: RandomStream): Int32Array {
    const { controls } = this.#settings;
    const task = new Int32Array(FIELDS).fill(-1);
    for (const name of Object.keys(candidate) as (keyof Candidate)[]) task[FIELD[name]] = candidate[name] ?? -1;
    task[FIELD.door] = door;
    task[FIELD.dice] = hasChance(this.#settings) ? random.bits() : 0;
    task[FIELD.controls] = controls === 'known' ? 0 : random.below(controlTable(controls).length / 4);
    for (const [kind, set] of [
      [WALL, FIELD.walls],
      [HOLE, FIELD.holes],
    ] as const) {
      task.fill(0, set, set + 2);
      floor.forEach((found, cell) => {
        if (found === kind) task[set + (cell >> 5)] |= 1 << (cell & 31);
      });
    }
    return task;
  }

  #isHeldOut({ start, goal }: Candidate): boolean {
    if (this.#settings.heldOut === 0) return false;
    const [bits] = philox4x32([start, goal, 0, 0], [0x68656c64, 0]);
    return toUnitFloat(bits) < this.#settings.heldOut;
  }

  #candidate(map: GridMap, random: RandomStream): Candidate | null {
    if (this.#settings.puzzle === 'boxes') return this.#boxes(map.floor, random);
    if (this.#settings.puzzle === 'key-door') return this.#keyAndDoor(map, random);
    const pairs = this.pairs ?? this.#pairsOf(map.floor);
    if (pairs.length === 0) return null;
    const pair = 2 * random.below(pairs.length / 2);
    return { start: pairs[pair], goal: pairs[pair + 1] };
  }

  #isFarEnough(steps: number): boolean {
    return steps >= this.#settings.minimumDistance && steps <= this.#settings.horizon;
  }

  /** All (start, goal) pairs far enough apart and within the horizon, [pairs, 2] flat. */
  #pairsOf(floor: Uint8Array): Uint8Array {
    const pairs: number[] = [];
    for (let start = 0; start < floor.length; start++) {
      if (floor[start] !== FLOOR) continue;
      distancesFrom(start, floor, this.#rules.neighbours).forEach((steps, goal) => {
        if (this.#isFarEnough(steps)) pairs.push(start, goal);
      });
    }
    return Uint8Array.from(pairs);
  }

  /** Start and key on one side of the door, the goal on the other. */
  #keyAndDoor({ floor, door }: GridMap, random: RandomStream): Candidate | null {
    const { size, horizon } = this.#settings;
    const [start, key, goal] = [0, 0, 0].map(() => openCell(floor, random));
    const sideOf = (cell: number): number => Math.sign((cell % size) - (door % size));
    const side = sideOf(start);
    if (side === 0 || sideOf(key) !== side || sideOf(goal) !== -side || start === key) return null;
    const layout: GridLayout = { floor, goal, key, door, secondTarget: -1 };
    return this.#isFarEnough(shortestPlan(this.#rules, layout, start, horizon).steps) ? { start, goal, key } : null;
  }

  /** Pulls boxes off their targets in at most `horizon` random steps, so that the task can be solved in as many. */
  #boxes(floor: Uint8Array, random: RandomStream): Candidate | null {
    const { neighbours, boxes: count } = this.#rules;
    const targets = Array.from({ length: count }, () => openCell(floor, random));
    const boxes = [...targets];
    let agent = openCell(floor, random);
    const occupied = [...targets, agent];
    if (new Set(occupied).size !== occupied.length) return null;
    for (let step = 0; step < this.#settings.horizon; step++) {
      const push = random.below(4);
      const behind = neighbours[agent * 4 + (push ^ 1)];
      if (behind === agent || floor[behind] !== FLOOR || boxes.includes(behind)) continue;
      const ahead = neighbours[agent * 4 + push];
      const box = ahead === agent ? -1 : boxes.indexOf(ahead);
      if (box >= 0 && random.below(4) > 0) boxes[box] = agent;
      agent = behind;
    }
    if (this.#fewestSteps(agent, boxes, targets) < this.#settings.minimumDistance) return null;
    const [goal, secondTarget = -1] = targets;
    const [box, secondBox = -1] = boxes;
    return { start: agent, goal, secondTarget, box, secondBox };
  }

  /** Lower bound on the steps to success: the pushes by distance, and the way to the nearest box that has to move. */
  #fewestSteps(agent: number, boxes: readonly number[], targets: readonly number[]): number {
    const pushes = (order: readonly number[]): number =>
      boxes.reduce((sum, box, index) => sum + this.distance(box, order[index]), 0);
    const needed = Math.min(pushes(targets), pushes([...targets].reverse()));
    if (needed === 0) return 0;
    const misplaced = boxes.filter((box) => !targets.includes(box));
    const approach = Math.min(...(misplaced.length > 0 ? misplaced : boxes).map((box) => this.distance(agent, box)));
    return needed + approach - 1;
  }

  /** Steps between two cells of an empty board. */
  distance(a: number, b: number): number {
    const { size } = this.#settings;
    return Math.abs((a % size) - (b % size)) + Math.abs(Math.floor(a / size) - Math.floor(b / size));
  }
}

function openCell(floor: Uint8Array, random: RandomStream): number {
  for (;;) {
    const cell = random.below(floor.length);
    if (floor[cell] === FLOOR) return cell;
  }
}
