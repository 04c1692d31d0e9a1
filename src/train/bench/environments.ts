/**
 * Environment steps per second on one core: random legal actions in many slots at once, what the environments say being
 * written into trajectories as in a rollout. No policy and no backend.
 */
import type { Emission, Environment } from '../../environments/environment';
import { defaultSettings, environments } from '../../environments/registry';
import { RandomStream } from '../../foundation/philox';
import { Trajectories } from '../../rl/trajectories';
import type { EnvironmentsReport } from './report';

export interface EnvironmentsOptions {
  readonly slots: number;
  /** Time for each environment. */
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
  const actions = drawActions(environment, random);
  const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;

  let [steps, resets, stepping, resetting, drawn] = [0, 0, 0, 0, 0];
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
        world.step(slot, at(actions, drawn++), at(emissions, slot));
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

/** A few hundred actions of the first legal set, as long as an action can be. */
function drawActions(environment: Environment, random: RandomStream): number[][] {
  const legal = environment.legalSets[0] ?? environment.words.map((_, token) => token);
  const draw = (): number => legal[random.below(legal.length)] as number;
  return Array.from({ length: 509 }, () => {
    const action = Array.from({ length: environment.maxActionTokens }, draw);
    if (environment.stopToken >= 0) action[action.length - 1] = environment.stopToken;
    return action;
  });
}
