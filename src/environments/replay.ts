/** Reading a trajectory back: what the policy did, turn by turn, so that a world can be stepped through it again. */
import { RandomStream } from '../foundation/philox';
import { ROLE } from '../foundation/roles';
import type { Emission, Environment, World } from './environment';

/** Swallows what an environment says. */
export const SILENT: Emission = { emit: () => true };

/** The actions of a trajectory in order, each as the tokens drawn in its turn. Environments say something every turn. */
export function actionsOf(tokens: ArrayLike<number>, roles: ArrayLike<number>): number[][] {
  const actions: number[][] = [];
  for (let t = 0; t < tokens.length; t++) {
    if (roles[t] !== ROLE.action) continue;
    if (t === 0 || roles[t - 1] !== ROLE.action) actions.push([]);
    actions.at(-1)?.push(tokens[t] as number);
  }
  return actions;
}

/** Where an episode is played: in this part of a mixture, or in the environment itself where it has none. */
export function playedIn(environment: Environment, part: number): Environment {
  return environment.parts?.[part]?.environment ?? environment;
}

/** Most tokens the slot's next action may have. */
export function longestAction(environment: Environment, world: World, slot: number): number {
  return world.maxActionTokens?.(slot) ?? environment.maxActionTokens;
}

/** Steps slot 0 of a world through the actions of a trajectory. */
export function replay(world: World, task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): void {
  world.reset(0, task, SILENT);
  for (const action of actionsOf(tokens, roles)) world.step(0, action, SILENT);
}

/** Draws an action token by token, uniformly among the legal ones, until the stop token or the longest action. */
export function drawAction(environment: Environment, world: World, slot: number, random: RandomStream): number[] {
  const legal = environment.legalSets[world.legalSet(slot) - 1];
  const most = longestAction(environment, world, slot);
  const action: number[] = [];
  while (action.length < most) {
    const token = legal === undefined ? random.below(environment.words.length) : legal[random.below(legal.length)];
    action.push(token as number);
    if (token === environment.stopToken) break;
  }
  return action;
}

/** Success rate of the uniformly random legal policy on training tasks, from simulated episodes: always the same ones. */
export function simulateRandomSuccess(environment: Environment, episodes: number): number {
  const simulation = randomSuccesses(environment, episodes);
  for (;;) {
    const { done, value } = simulation.next();
    if (done) return value;
  }
}

/** The same, with a pause after every episode for those who cannot wait so long. */
export function* randomSuccesses(environment: Environment, episodes: number): Generator<undefined, number> {
  const world = environment.createWorld(1);
  const random = new RandomStream(0x72616e64, 0, 0, 0, 0);
  let successes = 0;
  for (let episode = 0; episode < episodes; episode++) {
    world.reset(0, environment.drawTask(random), SILENT);
    while (!world.isDone(0)) world.step(0, drawAction(environment, world, 0, random), SILENT);
    if (world.isSuccess(0)) successes += 1;
    yield;
  }
  return successes / episodes;
}
