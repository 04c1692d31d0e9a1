/** One episode to look at before anything is trained: a task, played by the scripted expert. */
import { LabError } from '../foundation/errors';
import { RandomStream } from '../foundation/philox';
import { ROLE, type Role } from '../foundation/roles';
import type { Environment, Exhibit, PlayedTokens } from './environment';
import { expertThoughts } from './replay';
import type { Scene } from './scene';

const random = (): RandomStream => new RandomStream(0x73686f77, 0, 0, 0, 0);

/** Kinds of scenes in an environment; several in a mixture. */
function sceneKinds(environment: Environment): Scene['kind'][] {
  if (environment.parts !== undefined) return environment.parts.flatMap((part) => sceneKinds(part.environment));
  return scenesOf(environment, { task: environment.drawTask(random()), tokens: [], roles: [] })
    .slice(0, 1)
    .map(({ kind }) => kind);
}

/** An environment's exhibit, always on the same task; the prompt alone where there is no expert. */
export function exhibit(environment: Environment): Exhibit {
  let episode: PlayedTokens;
  try {
    episode = exhibitedEpisode(environment);
  } catch (cause) {
    return { tokens: [], roles: [], scenes: [mistakeScene(cause)], kinds: ['drawing'] };
  }
  const { tokens, roles } = episode;
  return { tokens, roles, scenes: scenesOf(environment, episode), kinds: sceneKinds(environment) };
}

/** Scenes of an episode; of a user's world that cannot be drawn, what is wrong with it. */
export function scenesOf(environment: Environment, { task, tokens, roles }: PlayedTokens): readonly Scene[] {
  try {
    return environment.scenes?.(task, tokens, roles) ?? [];
  } catch (cause) {
    return [mistakeScene(cause)];
  }
}

function mistakeScene(cause: unknown): Scene {
  if (cause instanceof LabError && cause.code === 'invalid-world') return errorScene(cause);
  throw cause;
}

/** An error in place of a world's picture. */
export const errorScene = ({ what, advice }: LabError): Scene => ({
  kind: 'drawing',
  drawing: { kind: 'text', lines: [what, advice] },
  action: null,
});

function exhibitedEpisode(environment: Environment): PlayedTokens {
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
