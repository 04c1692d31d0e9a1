/**
 * Environment steps per second on one core: random legal actions in many slots at once. Observations are written into
 * trajectories as in a rollout; there is no policy and no backend.
 */
import type { Emission, Environment, WorldSlots } from '../../environments/environment';
import { defaultSettings, environments } from '../../environments/registry';
import { drawnSet, longestAction } from '../../environments/replay';
import { RandomStream } from '../../foundation/philox';
import { Trajectories } from '../../rl/play/trajectories';
import type { EnvironmentsReport } from './report';

export interface EnvironmentsOptions {
  readonly slots: number;
  /** Seconds for each environment. */
  readonly seconds: number;
}

export function benchEnvironments({ slots, seconds }: EnvironmentsOptions): EnvironmentsReport {
  const rows = Object.values(environments).map((definition) => {
    const environment = definition.create(defaultSettings(definition.id));
    return { environment: definition.id, slots, ...timeSteps(environment, slots, seconds) };
  });
  return { subject: 'environments', rows };
}

function timeSteps(
  environment: Environment,
  slots: number,
  seconds: number,
): { stepsPerSecond: number; resetsPerSecond: number } {
  const world = environment.createWorld(slots);
  const trajectories = new Trajectories(1, slots, environment.context, environment.maxTurns);
  const emissions: Emission[] = Array.from({ length: slots }, (_, slot) => ({
    emit: (token, role) => trajectories.appendSaid(slot, token, role),
  }));
  const random = new RandomStream(1, 0, 0, 0, 0);
  const tasks = Array.from({ length: slots }, () => environment.drawTask(random));
  const actions = new ActionSupply(environment, world, random);
  const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;

  let [steps, resets, stepping, resetting] = [0, 0, 0, 0];
  const end = performance.now() + seconds * 1000;
  for (let episode = 0; episode < 2 || performance.now() < end; episode++) {
    const start = performance.now();
    trajectories.clear();
    for (let slot = 0; slot < slots; slot++) world.reset(slot, at(tasks, slot), at(emissions, slot));
    const began = performance.now();
    let done = 0;
    for (let turn = 0; turn < environment.maxTurns; turn++) {
      for (let slot = 0; slot < slots; slot++) {
        if (world.isDone(slot)) continue;
        world.step(slot, actions.next(slot), at(emissions, slot));
        done++;
      }
    }
    const now = performance.now();
    // The first episode compiles.
    if (episode === 0) continue;
    steps += done;
    resets += slots;
    resetting += (began - start) / 1000;
    stepping += (now - began) / 1000;
  }
  return { stepsPerSecond: steps / stepping, resetsPerSecond: resets / Math.max(resetting, 1e-9) };
}

/** Random legal actions of the greatest length: a few hundred for each legal set, drawn when it first occurs. */
class ActionSupply {
  readonly #environment: Environment;
  readonly #world: WorldSlots;
  readonly #random: RandomStream;
  readonly #actions: number[][][] = [];
  #given = 0;

  constructor(environment: Environment, world: WorldSlots, random: RandomStream) {
    this.#environment = environment;
    this.#world = world;
    this.#random = random;
  }

  next(slot: number): readonly number[] {
    const set = drawnSet(this.#world, slot);
    this.#actions[set] ??= Array.from({ length: 509 }, () => this.#draw(set, slot));
    const actions = this.#actions[set];
    return actions[this.#given++ % actions.length] as number[];
  }

  #draw(set: number, slot: number): number[] {
    const { legalSets, words, stopToken } = this.#environment;
    const legal = legalSets[set - 1] ?? words.map((_, token) => token);
    const most = longestAction(this.#environment, this.#world, slot);
    const action = Array.from({ length: most }, () => legal[this.#random.below(legal.length)] as number);
    if (most > 1) action[most - 1] = stopToken;
    return action;
  }
}
