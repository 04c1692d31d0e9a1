/**
 * Walks of one task: for each cell of a board, the shortest episode that ends its last turn there with the next action still
 * to come. They say what the policy does where it truly is, also on cells that its own episodes no longer visit.
 */
import type { Emission, Environment, WorldSlots } from '../../../environments/environment';
import { PROBE_TARGETS } from '../../../environments/probes';
import { drawnSet } from '../../../environments/replay';
import type { BoardScene } from '../../../environments/scene';
import { LabError } from '../../../foundation/errors';
import { ROLE } from '../../../foundation/roles';

/** End of a walk: all tokens up to the next action, the tokens legal there, and the cell as the probe of it is named. */
export interface Stand {
  readonly cell: string;
  readonly scene: BoardScene;
  readonly tokens: readonly number[];
  readonly legal: readonly number[];
}

type Walked = Pick<Environment, 'words' | 'legalSets' | 'maxTurns' | 'maxActionTokens' | 'thoughts'> &
  Pick<Environment, 'scenes' | 'createWorld'>;

/**
 * Ends of walks to every cell that the task's board lets one reach in time, the nearest first; goals end the episode and have none.
 */
export function standsOf(environment: Walked, task: Int32Array): Stand[] {
  if (environment.maxActionTokens !== 1 || environment.thoughts !== undefined) {
    const what = 'In this world an action is more than one word, so there is no one moment at which it is decided.';
    throw new LabError('unsupported', what, 'Choose a gridworld.');
  }
  const world = environment.createWorld(1);
  const stands = new Map<string, Stand>();
  let frontier: { actions: readonly number[]; legal: readonly number[] }[] = [
    { actions: [], legal: play(environment, world, task, []).legal },
  ];
  for (let turn = 0; turn < environment.maxTurns && frontier.length > 0; turn++) {
    const next: typeof frontier = [];
    for (const { actions, legal } of frontier) {
      for (const action of legal) {
        const walk = [...actions, action];
        const episode = play(environment, world, task, walk);
        const scene = episode.isOver ? undefined : environment.scenes?.(task, episode.tokens, episode.roles).at(-1);
        if (scene?.kind !== 'board') continue;
        const cell = cellOf(scene);
        if (stands.has(cell)) continue;
        stands.set(cell, { cell, scene, tokens: episode.tokens, legal: episode.legal });
        next.push({ actions: walk, legal: episode.legal });
      }
    }
    frontier = next;
  }
  return [...stands.values()];
}

/** Name of the agent's cell, as probes call it. */
const cellOf = (scene: BoardScene): string => PROBE_TARGETS.find(({ id }) => id === 'cell')?.value(scene) ?? '';

interface Played {
  readonly tokens: number[];
  readonly roles: number[];
  readonly legal: readonly number[];
  /** True if no action follows, or the last one was not answered. */
  readonly isOver: boolean;
}

function play(environment: Walked, world: WorldSlots, task: Int32Array, actions: readonly number[]): Played {
  const [tokens, roles]: [number[], number[]] = [[], []];
  const emission: Emission = {
    emit: (token, role) => {
      tokens.push(token);
      roles.push(ROLE[role]);
      return true;
    },
  };
  world.reset(0, task, emission);
  for (const action of actions) {
    tokens.push(action);
    roles.push(ROLE.action);
    world.step(0, [action], emission);
  }
  const isOver = world.isDone(0) || (actions.length > 0 && roles.at(-1) !== ROLE.observation);
  const every = (): number[] => environment.words.map((_, token) => token);
  const legal = isOver ? [] : (environment.legalSets[drawnSet(world, 0) - 1] ?? every());
  return { tokens, roles, legal, isOver };
}
