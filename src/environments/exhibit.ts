/** One episode to look at before anything is trained: a task, played by the scripted expert. */
import { LabError } from '../foundation/errors';
import { RandomStream } from '../foundation/philox';
import { ROLE, type Role } from '../foundation/roles';
import type { Environment, Scene } from './environment';
import { expertThoughts } from './replay';

const random = (): RandomStream => new RandomStream(0x73686f77, 0, 0, 0, 0);

/** Kinds of scenes in an environment; several in a mixture. */
export function sceneKinds(environment: Environment): Scene['kind'][] {
  if (environment.parts !== undefined) return environment.parts.flatMap((part) => sceneKinds(part.environment));
  const [prompt] = orMistake(() => environment.scenes?.(environment.drawTask(random()), [], []) ?? []);
  return prompt === undefined ? [] : [prompt.kind];
}

export interface Exhibited {
  readonly task: Int32Array;
  readonly tokens: readonly number[];
  /** Numbers of roles, one a token. */
  readonly roles: readonly number[];
}

interface Played {
  readonly task: Int32Array;
  readonly tokens: ArrayLike<number>;
  readonly roles: ArrayLike<number>;
}

/** Scenes of an environment's exhibit, always on the same task; the prompt alone where there is no expert. */
export function exhibit(environment: Environment): readonly Scene[] {
  return orMistake(() => scenesOf(environment, exhibitedEpisode(environment)));
}

/** Scenes of an episode; of a world of one's own that cannot be drawn, what is wrong with it. */
export function scenesOf(environment: Environment, { task, tokens, roles }: Played): readonly Scene[] {
  return orMistake(() => environment.scenes?.(task, tokens, roles) ?? []);
}

/** Scenes; of a world of one's own that cannot be played, what is wrong with it. */
function orMistake(scenes: () => readonly Scene[]): readonly Scene[] {
  try {
    return scenes();
  } catch (cause) {
    if (!isMistake(cause)) throw cause;
    return [{ kind: 'drawing', drawing: { kind: 'text', lines: [cause.what, cause.advice] }, action: null }];
  }
}

/** True for what a world of one's own throws that cannot be played. */
export const isMistake = (cause: unknown): cause is LabError =>
  cause instanceof LabError && cause.code === 'invalid-world';

/** The exhibit as its tokens. Throws LabError 'invalid-world'. */
export function exhibitedEpisode(environment: Environment): Exhibited {
  const task = environment.drawTask(random());
  const world = environment.createWorld(1);
  const tokens: number[] = [];
  const roles: number[] = [];
  const write = (token: number, role: Role): boolean => {
    roles.push(ROLE[role]);
    return tokens.push(token) <= environment.context;
  };
  world.reset(0, task, { emit: write });
  while (!world.isDone(0)) {
    const action = world.expert?.(0);
    if (action === undefined) break;
    for (const token of expertThoughts(environment, world, 0)) write(token, 'thought');
    for (const token of action) write(token, 'action');
    world.step(0, action, { emit: write });
  }
  return { task, tokens, roles };
}
