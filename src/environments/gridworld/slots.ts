/** Many episodes of one gridworld at once, one a slot. */
import { Dice } from '../dice';
import type { Emission, WorldSlots } from '../environment';
import type { BoardScene } from '../scene';
import { Belief, canBeListed, NO_MOVE } from './belief';
import { boardOf } from './board';
import { holeCount } from './maps';
import { SlipperyPlan, shortestPlan } from './plan';
import { ARRIVED, BUMPED, FELL, type GridLayout, HOLE, MOVES, type Rules, sideOf, WALL } from './rules';
import { type GridSettings, hasChance } from './settings';
import { controlTable, type GridTasks } from './tasks';
import { BOS, FIRST_MOVE, type GridView, NOISE_SYMBOLS } from './view';

const [PLAYING, SUCCEEDED, OVER] = [0, 1, 2] as const;

/** Number of a turn whose action was malformed, which has no observation. */
const WARNED = 5;

/** A slot's belief after `turns` turns, and the entropy of the last observation, nats. */
interface SlotBelief {
  readonly belief: Belief;
  turns: number;
  nats: number;
}

export class GridworldSlots implements WorldSlots {
  readonly #settings: GridSettings;
  readonly #rules: Rules;
  readonly #view: GridView;
  readonly #tasks: GridTasks;
  readonly #layouts: readonly GridLayout[];
  readonly #start: Int32Array;
  readonly #state: Int32Array;
  readonly #turn: Uint16Array;
  readonly #status: Uint8Array;
  /** Number of malformed actions so far, and 1 if the last one was. */
  readonly #malformed: Uint16Array;
  readonly #warned: Uint8Array;
  /** Number of the slot's hidden order of moves, and the table of all orders. */
  readonly #controls: Uint8Array;
  readonly #controlTable: Uint8Array;
  readonly #seed: Int32Array;
  readonly #dice = new Dice();
  readonly #out = new Uint16Array(16);
  readonly #hasChance: boolean;
  /** Entropy of a step's noise tokens, nats; NaN where the floor is not known. */
  readonly #plainFloor: number;
  /** Moves and observations so far, [slots, horizon(, tokens)]; empty where no belief needs them. */
  readonly #pastMoves: Uint8Array;
  readonly #pastTokens: Uint16Array;
  readonly #beliefs: (SlotBelief | undefined)[] = [];

  constructor(slots: number, settings: GridSettings, rules: Rules, view: GridView, tasks: GridTasks) {
    this.#settings = settings;
    this.#rules = rules;
    this.#view = view;
    this.#tasks = tasks;
    this.#layouts = Array.from({ length: slots }, () => tasks.emptyLayout());
    this.#start = new Int32Array(slots);
    this.#state = new Int32Array(slots);
    this.#turn = new Uint16Array(slots);
    this.#status = new Uint8Array(slots);
    this.#malformed = new Uint16Array(slots);
    this.#warned = new Uint8Array(slots);
    this.#controls = new Uint8Array(slots);
    this.#controlTable = controlTable(settings.controls);
    this.#seed = new Int32Array(slots);
    this.#hasChance = hasChance(settings);
    const { slip, noiseShare, controls, observation, noiseTokens, horizon } = settings;
    const isTold = slip === 0 && noiseShare === 0 && controls === 'known' && observation !== 'egocentric';
    this.#plainFloor = canBeListed(settings) ? noiseTokens * Math.log(NOISE_SYMBOLS) : Number.NaN;
    const remembered = isTold || Number.isNaN(this.#plainFloor) ? 0 : slots * horizon;
    this.#pastMoves = new Uint8Array(remembered);
    this.#pastTokens = new Uint16Array(remembered * view.length);
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    const layout = this.#layouts[slot];
    const state = this.#tasks.load(task, layout);
    this.#start[slot] = state;
    this.#state[slot] = state;
    this.#turn[slot] = 0;
    this.#malformed[slot] = 0;
    this.#warned[slot] = 0;
    this.#status[slot] = this.#rules.succeeded(layout, state) ? SUCCEEDED : PLAYING;
    this.#controls[slot] = this.#tasks.controlsOf(task);
    this.#seed[slot] = this.#tasks.diceOf(task);
    this.#beliefs[slot] = undefined;
    emission.emit(BOS, 'prompt');
    if (this.#view.placeLength === 0) {
      const length = this.#view.write(layout, state, 0, this.#out);
      for (let at = 0; at < Math.min(length, 6); at++) emission.emit(this.#out[at], 'prompt');
    } else this.#namePlaces(layout, state, emission);
  }

  /** Names goal (both targets), key, door, boxes, walls, holes, and last the agent. */
  #namePlaces(layout: GridLayout, state: number, emission: Emission): void {
    const rules = this.#rules;
    this.#name(layout.goal, emission);
    if (rules.boxes === 2) this.#name(layout.secondTarget, emission);
    if (rules.hasDoor) {
      this.#name(layout.key, emission);
      this.#name(layout.door, emission);
    }
    for (let box = 0; box < rules.boxes; box++) this.#name(rules.boxOf(state, box), emission);
    const { wallsWord } = this.#view;
    if (wallsWord >= 0) {
      for (const kind of [WALL, HOLE]) {
        if (kind === HOLE && holeCount(this.#settings) === 0) continue;
        emission.emit(kind === WALL ? wallsWord : wallsWord + 1, 'prompt');
        for (let cell = 0; cell < rules.cells; cell++) if (layout.floor[cell] === kind) this.#name(cell, emission);
      }
    }
    this.#name(rules.agentOf(state), emission);
  }

  #name(cell: number, emission: Emission): void {
    const length = this.#view.place(cell, this.#out);
    for (let at = 0; at < length; at++) emission.emit(this.#out[at], 'prompt');
  }

  legalSet(): number {
    return 1;
  }

  isFree(): boolean {
    return this.#settings.decoding.free;
  }

  /** A token that is no move is a turn spent on the spot; with free decoding it is malformed. After the end: no effect. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (this.#status[slot] !== PLAYING) return;
    const layout = this.#layouts[slot];
    const turn = this.#turn[slot];
    const move = (action[0] ?? 0) - FIRST_MOVE;
    const isMove = move >= 0 && move < MOVES.length;
    this.#turn[slot] = turn + 1;
    if (turn + 1 >= this.#settings.horizon) this.#status[slot] = OVER;
    if (!isMove && this.#settings.decoding.free) {
      this.#malform(slot, turn, emission);
      return;
    }
    this.#warned[slot] = 0;
    let state = this.#state[slot];
    if (this.#hasChance) this.#dice.seek(this.#seed[slot], turn);
    if (isMove) state = this.#rules.step(layout, state, this.#direction(slot, move));
    else this.#rules.event = BUMPED;
    this.#state[slot] = state;
    const { event } = this.#rules;
    if (event === ARRIVED) this.#status[slot] = SUCCEEDED;
    else if (event === FELL) this.#status[slot] = OVER;
    const length = this.#view.write(layout, state, event, this.#out);
    if (this.#settings.noiseShare > 0) this.#blur(length);
    if (this.#pastMoves.length > 0) this.#remember(slot, turn, isMove ? move : NO_MOVE);
    for (let at = 0; at < length; at++) emission.emit(this.#out[at], 'observation');
    for (let extra = 0; extra < this.#settings.noiseTokens; extra++) {
      emission.emit(this.#view.firstNoise + this.#dice.below(NOISE_SYMBOLS), 'observation');
    }
  }

  /** Direction that a move really goes: by the hidden controls first, then by a slip. */
  #direction(slot: number, move: number): number {
    const direction = this.#controlTable[this.#controls[slot] * 4 + move];
    const { slip } = this.#settings;
    if (slip === 0) return direction;
    const draw = this.#dice.unit();
    if (draw >= slip) return direction;
    return draw < slip / 2 ? sideOf(direction) : sideOf(direction) + 1;
  }

  #blur(length: number): void {
    for (let at = 0; at < length; at++) {
      if (this.#dice.unit() >= this.#settings.noiseShare) continue;
      this.#out[at] = this.#view.first[at] + this.#dice.below(this.#view.count[at]);
    }
  }

  #malform(slot: number, turn: number, emission: Emission): void {
    this.#warned[slot] = 1;
    this.#malformed[slot] += 1;
    if (this.#settings.decoding.malformed === 'end') this.#status[slot] = OVER;
    if (this.#pastMoves.length > 0) this.#pastMoves[slot * this.#settings.horizon + turn] = WARNED;
    emission.emit(this.#view.malformedWord, 'warning');
  }

  #remember(slot: number, turn: number, move: number): void {
    const at = slot * this.#settings.horizon + turn;
    this.#pastMoves[at] = move;
    for (let token = 0; token < this.#view.length; token++) {
      this.#pastTokens[at * this.#view.length + token] = this.#out[token];
    }
  }

  isDone(slot: number): boolean {
    return this.#status[slot] !== PLAYING;
  }

  reward(slot: number): number {
    return (this.isSuccess(slot) ? 1 : 0) - this.#settings.decoding.penalty * this.#malformed[slot];
  }

  isSuccess(slot: number): boolean {
    return this.#status[slot] === SUCCEEDED;
  }

  /** Cell of the agent. */
  cell(slot: number): number {
    return this.#rules.agentOf(this.#state[slot]);
  }

  /** Takes a shortest way, or on slippery ground the likeliest to succeed; knows the map and the hidden controls. */
  expert(slot: number): readonly number[] {
    const layout = this.#layouts[slot];
    const state = this.#state[slot];
    const { slip, horizon } = this.#settings;
    const left = horizon - this.#turn[slot];
    const direction =
      slip > 0
        ? new SlipperyPlan(this.#rules, layout, slip, left).best(state, left)
        : shortestPlan(this.#rules, layout, state, left).first;
    const controls = this.#controls[slot];
    return [FIRST_MOVE + this.#controlTable.subarray(controls * 4, controls * 4 + 4).indexOf(direction)];
  }

  entropyFloor(slot: number): number {
    const turns = this.#turn[slot];
    const { horizon } = this.#settings;
    if (turns === 0 || this.#warned[slot] === 1) return 0;
    if (this.#pastMoves.length === 0) return this.#plainFloor;
    let known = this.#beliefs[slot];
    if (known === undefined) {
      known = { belief: new Belief(this.#settings, this.#rules, this.#view, this.#tasks), turns: 0, nats: 0 };
      known.belief.begin(this.#layouts[slot], this.#start[slot]);
      this.#beliefs[slot] = known;
    }
    for (; known.turns < turns; known.turns++) {
      const at = slot * horizon + known.turns;
      const { length } = this.#view;
      if (this.#pastMoves[at] === WARNED) continue;
      const tokens = this.#pastTokens.subarray(at * length, (at + 1) * length);
      known.nats = known.belief.observe(this.#pastMoves[at], tokens);
    }
    return known.nats + this.#plainFloor;
  }

  /** Nearness to the next cell to reach; key and door are a third of the way each. */
  progress(slot: number): number {
    if (this.isSuccess(slot)) return 1;
    const layout = this.#layouts[slot];
    const state = this.#state[slot];
    const rules = this.#rules;
    const farthest = 2 * (rules.size - 1);
    if (rules.boxes > 0) {
      let missing = 0;
      for (let box = 0; box < rules.boxes; box++) {
        const cell = rules.boxOf(state, box);
        const toSecond = rules.boxes === 2 ? this.#tasks.distance(cell, layout.secondTarget) : farthest;
        missing += Math.min(this.#tasks.distance(cell, layout.goal), toSecond);
      }
      return 1 - missing / (rules.boxes * farthest);
    }
    const nearness = 1 - this.#tasks.distance(rules.agentOf(state), this.#view.target(layout, state)) / farthest;
    return rules.hasDoor ? (rules.doorOf(state) + nearness) / 3 : nearness;
  }

  /** A move in words: `up`, or `up goes down` where hidden controls change it. */
  moveWords(slot: number, token: number): string {
    const move = token - FIRST_MOVE;
    const word = this.#view.words[token] ?? '?';
    const goes = this.#controlTable[this.#controls[slot] * 4 + move] ?? move;
    return move < 0 || move >= MOVES.length || goes === move ? word : `${word} goes ${MOVES[goes]}`;
  }

  /** Direction of each of the moves in a slot. */
  #movesOf(slot: number): readonly (string | undefined)[] {
    const controls = this.#controls[slot];
    return Array.from(this.#controlTable.subarray(controls * 4, controls * 4 + 4), (goes) => MOVES[goes]);
  }

  /** Picture of a slot. */
  scene(slot: number, action: string | null): BoardScene {
    const { slip, controls } = this.#settings;
    return {
      ...boardOf(this.#rules, this.#layouts[slot], this.#state[slot], slip > 0),
      controls: controls === 'known' ? null : this.#movesOf(slot).join(),
      action,
    };
  }
}
