/**
 * Belief of a perfect predictor: the probability of every hidden situation given all tokens so far, by Bayes' rule over an
 * exact list. It gives the entropy of the next observation, which is the floor of the observation cross-entropy for any
 * predictor. Hidden are the controls, slips, the true cell behind noisy tokens, and in the egocentric view the cells of
 * start and goal.
 */
import { BUMPED, type GridLayout, type Rules, sideOf } from './rules';
import { type GridSettings, hasOwnMaps, tellsMap } from './settings';
import { controlTable, type GridTasks } from './tasks';
import type { GridView } from './view';

/** Number of a step that was no move. */
export const NO_MOVE = 4;

interface Situation {
  readonly layout: GridLayout;
  readonly state: number;
  readonly controls: number;
}

/** True if the situations can be listed: not where maps are new in each task and not told. */
export function canBeListed(settings: GridSettings): boolean {
  const isNew = hasOwnMaps(settings);
  if (settings.observation === 'egocentric') return settings.puzzle === 'reach' && !isNew && settings.heldOut === 0;
  // A new map that is not told is known only without walls and holes: then it has just a door, which the prompt names.
  return !isNew || tellsMap(settings) || (settings.walls === 0 && settings.holes === 0);
}

export class Belief {
  readonly #rules: Rules;
  readonly #view: GridView;
  readonly #settings: GridSettings;
  readonly #tasks: GridTasks;
  readonly #controls: Uint8Array;
  #situations = new Map<string, { situation: Situation; weight: number }>();
  readonly #out = new Uint16Array(16);
  readonly #told = new Uint16Array(16);
  readonly #predicted: Float64Array;

  constructor(settings: GridSettings, rules: Rules, view: GridView, tasks: GridTasks) {
    this.#settings = settings;
    this.#rules = rules;
    this.#view = view;
    this.#tasks = tasks;
    this.#controls = controlTable(settings.controls);
    this.#predicted = new Float64Array(Math.max(...view.count));
  }

  /** Begins with all situations that fit the prompt. */
  begin(layout: GridLayout, state: number): void {
    this.#situations.clear();
    const starts = this.#settings.observation === 'egocentric' ? this.#lookalikes(layout, state) : [{ layout, state }];
    for (const start of starts) {
      for (let controls = 0; controls < this.#controls.length / 4; controls++) this.#add({ ...start, controls }, 1);
    }
  }

  /** Updates the belief by one turn: the move (or NO_MOVE) and the observation's tokens. Returns their entropy, nats. */
  observe(move: number, tokens: ArrayLike<number>): number {
    const paths = this.#step(move);
    let nats = 0;
    for (let token = 0; token < this.#view.length; token++) nats += this.#condition(paths, token, tokens[token] ?? 0);
    this.#situations.clear();
    const total = paths.reduce((sum, { weight }) => sum + weight, 0);
    for (const { situation, weight } of paths) {
      // Situations in which the episode has ended are dropped: after a further turn they are impossible.
      const { layout, state } = situation;
      if (!this.#rules.succeeded(layout, state) && !this.#rules.fell(layout, state))
        this.#add(situation, weight / total);
    }
    return nats;
  }

  /** All (situation, observation) pairs that may follow a move, with their weights. */
  #step(move: number): { situation: Situation; weight: number; tokens: Uint16Array }[] {
    const { slip } = this.#settings;
    const paths: { situation: Situation; weight: number; tokens: Uint16Array }[] = [];
    for (const { situation, weight } of this.#situations.values()) {
      const follow = (direction: number, chance: number): void => {
        if (chance === 0) return;
        const { layout, controls } = situation;
        const state = move === NO_MOVE ? situation.state : this.#rules.step(layout, situation.state, direction);
        if (move === NO_MOVE) this.#rules.event = BUMPED;
        this.#view.write(layout, state, this.#rules.event, this.#out);
        paths.push({ situation: { layout, state, controls }, weight: weight * chance, tokens: this.#out.slice() });
      };
      const direction = move === NO_MOVE ? NO_MOVE : this.#controls[situation.controls * 4 + move];
      follow(direction, move === NO_MOVE ? 1 : 1 - slip);
      if (move === NO_MOVE) continue;
      follow(sideOf(direction), slip / 2);
      follow(sideOf(direction) + 1, slip / 2);
    }
    return paths;
  }

  /** Entropy of one token of the observation given those before it, nats; then reweights the paths by the token told. */
  #condition(paths: { weight: number; tokens: Uint16Array }[], token: number, told: number): number {
    const first = this.#view.first[token];
    const count = this.#view.count[token];
    const noise = this.#settings.noiseShare;
    const predicted = this.#predicted.fill(0);
    let total = 0;
    for (const { weight, tokens } of paths) {
      total += weight;
      const word = tokens[token] - first;
      predicted[word] += weight;
    }
    let nats = 0;
    for (let word = 0; word < count; word++) {
      const chance = ((1 - noise) * predicted[word]) / total + noise / count;
      if (chance > 0) nats -= chance * Math.log(chance);
    }
    for (const path of paths) path.weight *= (path.tokens[token] === told ? 1 - noise : 0) + noise / count;
    return nats;
  }

  #add(situation: Situation, weight: number): void {
    if (weight === 0) return;
    const key = `${situation.layout.goal},${situation.state},${situation.controls}`;
    const known = this.#situations.get(key);
    if (known === undefined) this.#situations.set(key, { situation, weight });
    else known.weight += weight;
  }

  /** Every (start, goal) pair of the fixed map that gives the same first view. */
  #lookalikes(layout: GridLayout, state: number): { layout: GridLayout; state: number }[] {
    const length = this.#view.write(layout, state, 0, this.#told);
    const pairs = this.#tasks.pairs ?? new Uint8Array(0);
    const found: { layout: GridLayout; state: number }[] = [];
    for (let pair = 0; pair < pairs.length; pair += 2) {
      const other = { ...layout, goal: pairs[pair + 1] };
      this.#view.write(other, pairs[pair], 0, this.#out);
      if (this.#out.subarray(0, length).every((word, at) => word === this.#told[at])) {
        found.push({ layout: other, state: pairs[pair] });
      }
    }
    return found;
  }
}
