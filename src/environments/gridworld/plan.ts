/** Plans of the best agent: a shortest way where steps are certain, the likeliest way to succeed where they are not. */
import type { GridLayout, Rules } from './rules';
import { sideOf } from './rules';

export interface Route {
  /** Smallest number of steps to success; −1 when there is no way within the limit. */
  readonly steps: number;
  /** Direction of the first step. */
  readonly first: number;
}

const NO_PLAN: Route = { steps: -1, first: 0 };

/** Shortest plan by breadth-first search over states. */
export function shortestPlan(rules: Rules, layout: GridLayout, from: number, limit: number): Route {
  const firstOf = new Map<number, number>([[from, 0]]);
  let frontier = [from];
  for (let steps = 1; steps <= limit && frontier.length > 0; steps++) {
    const next: number[] = [];
    for (const state of frontier) {
      for (let direction = 0; direction < 4; direction++) {
        const to = rules.step(layout, state, direction);
        if (firstOf.has(to) || rules.fell(layout, to)) continue;
        const first = steps === 1 ? direction : (firstOf.get(state) as number);
        if (rules.succeeded(layout, to)) return { steps, first };
        firstOf.set(to, first);
        next.push(to);
      }
    }
    frontier = next;
  }
  return NO_PLAN;
}

/** Factor on the chance of success for each step: it only breaks ties, in favour of shorter ways. */
const PATIENCE = 1 - 1e-7;

/** Plan over slippery ground: best chances of success, by dynamic programming over the turns left. */
export class SlipperyPlan {
  readonly #rules: Rules;
  readonly #layout: GridLayout;
  readonly #slip: number;
  /** Best chance of success, [turns left][state]. */
  readonly #chances: Float64Array[] = [];

  constructor(rules: Rules, layout: GridLayout, slip: number, horizon: number) {
    this.#rules = rules;
    this.#layout = layout;
    this.#slip = slip;
    const { states } = rules;
    this.#chances.push(Float64Array.from({ length: states }, (_, state) => (rules.succeeded(layout, state) ? 1 : 0)));
    for (let turns = 1; turns <= horizon; turns++) {
      this.#chances.push(
        Float64Array.from({ length: states }, (_, state) => {
          if (rules.succeeded(layout, state)) return 1;
          if (rules.fell(layout, state)) return 0;
          return PATIENCE * Math.max(...[0, 1, 2, 3].map((direction) => this.#after(state, direction, turns - 1)));
        }),
      );
    }
  }

  chance(state: number, turnsLeft: number): number {
    return this.#chances[turnsLeft]?.[state] ?? 0;
  }

  best(state: number, turnsLeft: number): number {
    const after = [0, 1, 2, 3].map((direction) => this.#after(state, direction, turnsLeft - 1));
    return after.indexOf(Math.max(...after));
  }

  #after(state: number, direction: number, turnsLeft: number): number {
    const chances = this.#chances[turnsLeft];
    const to = (way: number): number => chances[this.#rules.step(this.#layout, state, way)];
    const side = sideOf(direction);
    return (1 - this.#slip) * to(direction) + (this.#slip / 2) * (to(side) + to(side + 1));
  }
}

/** Probability that a uniform random walk reaches the goal within the horizon, mean over (start, goal) pairs; exact. */
export function randomWalkSuccess(rules: Rules, floor: Uint8Array, pairs: Uint8Array, horizon: number): number {
  const { cells, neighbours } = rules;
  const hit = new Float64Array(cells * cells); // [goal, start]
  let now = new Float64Array(cells);
  let next = new Float64Array(cells);
  const layout: GridLayout = { floor, goal: 0, secondTarget: -1, key: -1, door: -1 };
  const destinations = Uint8Array.from(neighbours, (_, at) => rules.step(layout, at >> 2, at & 3));
  for (let goal = 0; goal < cells; goal++) {
    layout.goal = goal;
    now.fill(0);
    for (let turn = 0; turn < horizon; turn++) {
      for (let cell = 0; cell < cells; cell++) {
        let sum = 0;
        for (let move = 0; move < 4; move++) {
          const to = destinations[cell * 4 + move];
          sum += to === goal ? 1 : now[to];
        }
        next[cell] = rules.fell(layout, cell) ? 0 : sum / 4;
      }
      [now, next] = [next, now];
    }
    hit.set(now, goal * cells);
  }
  let total = 0;
  for (let i = 0; i < pairs.length; i += 2) total += hit[pairs[i + 1] * cells + pairs[i]];
  return total / (pairs.length / 2);
}
