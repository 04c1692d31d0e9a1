/** Episodes of any environment, played in different ways, and checks that every environment must pass. */
import { expect } from 'vitest';
import type { Emission, Environment, WorldSlots } from '../../src/environments/environment';
import { drawAction, longestAction } from '../../src/environments/replay';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { ROLE, type Role } from '../../src/foundation/roles';

/** Recorder of one trajectory, which is full at the environment's context. */
export class Recorder implements Emission {
  readonly tokens: number[] = [];
  readonly roles: number[] = [];
  readonly environment: Environment;
  /** True if a token came after the context was full. */
  overflowed = false;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  emit(token: number, role: Exclude<Role, 'action'>): boolean {
    return this.write(token, role);
  }

  write(token: number, role: Role): boolean {
    if (this.tokens.length >= this.environment.context) {
      this.overflowed = true;
      return false;
    }
    this.tokens.push(token);
    this.roles.push(ROLE[role]);
    return true;
  }

  /** Words of the recorded tokens, from an index on. */
  words(from = 0): string[] {
    return this.tokens.slice(from).map((token) => this.environment.words[token] ?? '?');
  }
}

export type Chooser = (world: WorldSlots, slot: number, turn: number) => readonly number[];

export interface Played {
  readonly world: WorldSlots;
  readonly recorder: Recorder;
  readonly actions: readonly (readonly number[])[];
  readonly floors: readonly number[];
}

export function play(
  environment: Environment,
  task: Int32Array,
  choose: Chooser,
  world = environment.createWorld(2),
  slot = 1,
): Played {
  const recorder = new Recorder(environment);
  const actions: (readonly number[])[] = [];
  const floors: number[] = [];
  world.reset(slot, task, recorder);
  let fault = promptFault(recorder) || progressFault(world, slot);
  for (let turn = 0; !world.isDone(slot); turn++) {
    if (turn >= environment.maxTurns) fault = 'too many turns';
    const action = choose(world, slot, turn);
    for (const token of action) recorder.write(token, 'action');
    const before = recorder.tokens.length;
    world.step(slot, action, recorder);
    fault ||= faultOf(environment, recorder, before, world, slot);
    actions.push(action);
    floors.push(world.entropyFloor?.(slot) ?? Number.NaN);
  }
  expect(recorder.overflowed ? 'longer than the context' : fault).toBe('');
  return { world, recorder, actions, floors };
}

function promptFault({ tokens, roles }: Recorder): string {
  if (tokens.length === 0) return 'no prompt';
  return roles.every((role) => role === ROLE.prompt) ? '' : 'a prompt in another role';
}

function progressFault(world: WorldSlots, slot: number): string {
  const progress = world.progress?.(slot) ?? 0;
  return progress >= 0 && progress <= 1 ? '' : 'progress out of bounds';
}

/** Fault in a world's answer; empty if there is none. It must be cheap: it is checked many thousand times. */
function faultOf(
  environment: Environment,
  recorder: Recorder,
  before: number,
  world: WorldSlots,
  slot: number,
): string {
  const { tokens, roles } = recorder;
  if (tokens.length - before > environment.maxObservationTokens) return 'more said than announced';
  if (tokens.length === before && !world.isDone(slot)) return 'nothing said';
  for (let t = before; t < tokens.length; t++) {
    if (roles[t] !== ROLE.observation && roles[t] !== ROLE.warning) return 'said in a role of others';
    if (environment.words[tokens[t] as number] === undefined) return 'a token without a word';
  }
  if (world.legalSet(slot) > environment.legalSets.length) return 'no such legal set';
  return progressFault(world, slot);
}

/** Chooser that draws uniformly among the legal tokens. */
export function randomly(environment: Environment, random: RandomStream): Chooser {
  return (world, slot) => drawAction(environment, world, slot, random);
}

/** Chooser that draws any tokens, legal or not, in any length an action can have. */
export function recklessly(environment: Environment, random: RandomStream): Chooser {
  return (world, slot) => {
    const length = 1 + random.below(longestAction(environment, world, slot));
    return Array.from({ length }, () => random.below(environment.words.length));
  };
}

export const expertly: Chooser = (world, slot) => world.expert?.(slot) ?? [];

export function stream(seed: number): RandomStream {
  return new RandomStream(seed, STREAM.environment, 0, 0, 0);
}

/** Share of episodes in which a chooser succeeds. */
export function successRate(
  environment: Environment,
  choose: Chooser,
  episodes: number,
  split?: 'train' | 'held-out',
): number {
  const random = stream(11);
  const world = environment.createWorld(2);
  let successes = 0;
  for (let episode = 0; episode < episodes; episode++) {
    const { world: played } = play(environment, environment.drawTask(random, split), choose, world);
    if (played.isSuccess(1)) successes += 1;
  }
  return successes / episodes;
}

/** Everything that an episode came to, to be compared with another's. */
const outcomeOf = ({ world, recorder: { tokens, roles }, floors }: Played, slot: number) => ({
  tokens,
  roles,
  floors,
  reward: world.reward(slot),
  success: world.isSuccess(slot),
});

/**
 * Checks one episode of an environment: replay in another slot of a larger world, bounds of the reward, floors, scenes, and
 * silence after its end.
 */
export function checkContract(
  environment: Environment,
  seed: number,
  bounds: readonly [low: number, high: number],
): void {
  const random = stream(seed);
  const choose = seed % 2 === 0 ? randomly(environment, random) : recklessly(environment, random);
  const task = environment.drawTask(random);
  expect(environment.drawTask(stream(seed))).toEqual(task);
  const played = play(environment, task, choose);
  const { world, recorder, actions, floors } = played;
  const replayed = play(environment, task, (_world, _slot, turn) => actions[turn] ?? [], environment.createWorld(3), 0);
  expect(outcomeOf(replayed, 0)).toEqual(outcomeOf(played, 1));
  expect(world.reward(1)).toBeGreaterThanOrEqual(bounds[0]);
  expect(world.reward(1)).toBeLessThanOrEqual(bounds[1]);
  // A floor that is not known is NaN.
  expect(floors.filter((floor) => floor < 0)).toEqual([]);
  expect(environment.scenes?.(task, recorder.tokens, recorder.roles)).toHaveLength(actions.length + 1);
  const silent = new Recorder(environment);
  world.step(1, [0], silent);
  expect(silent.tokens).toEqual([]);
}
