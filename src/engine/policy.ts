/** The door of policies. onnxruntime-web computes their logits, the lab's kernels draw from them. */
import type { EnvironmentSettings } from '../environments/environment';
import { decodeLink } from '../experiment/link/link';
import { parseExperiment } from '../experiment/parse';
import { LabError } from '../foundation/errors';
import { createCpuBackend } from '../tensor/cpu/backend';
import { readPolicy, strangenessOf } from '../train/policies/files';
import { type PlayedTasks, PolicyPlayer } from '../train/policies/player';
import { createEnvironment } from '../train/population/shape';

export interface Policy {
  /** Name of the file in experiments: `startPolicy` of an arm, for instance. */
  readonly sha256: string;
  /** Arm and seed that it was trained as, and for how many updates. */
  readonly arm: string;
  readonly seed: number;
  readonly update: number;
  /** Number of its parameters. */
  readonly parameters: number;
  /** The world that it was trained in. */
  readonly environment: { readonly id: string; readonly settings: EnvironmentSettings };
  /** Fragment of the link to the experiment that it was trained in. */
  readonly experiment: string;
  readonly licence: string;
  /** Lets it play, as `unmask eval` does: the same file, seed and world give the same episodes. */
  play(options?: PlayOptions): Promise<Played>;
}

export interface PlayOptions {
  /** Episodes of held-out tasks, and as many of training’s; 64 if left out. */
  readonly episodes?: number;
  /** Seed of tasks and draws; that of its training if left out. */
  readonly seed?: number;
  /** Settings of its world that are to differ. */
  readonly settings?: EnvironmentSettings;
}

export interface Played {
  /** Runtime that computed the policy, with its device, in words. */
  readonly runtime: string;
  /** Held-out tasks; null where the world has none. */
  readonly heldOut: PlayedTasks | null;
  readonly training: PlayedTasks;
}

const MOST_EPISODES = 10_000;

export async function policyOf(file: Uint8Array | Blob): Promise<Policy> {
  const { bytes, policy, sha256 } = await readPolicy(file instanceof Blob ? file : new Blob([Uint8Array.from(file)]));
  const { member, update, licence, environment, experiment } = policy;
  return {
    sha256,
    ...member,
    update,
    parameters: policy.parameters.length,
    environment,
    experiment,
    licence,
    async play({ episodes = 64, seed, settings = {} } = {}) {
      if (!Number.isInteger(episodes) || episodes < 1 || episodes > MOST_EPISODES) {
        throw new LabError('limits', `It cannot play ${episodes} episodes.`, `Choose 1 to ${MOST_EPISODES}.`);
      }
      const link = decodeLink(experiment);
      const place = { id: environment.id, settings: { ...environment.settings, ...settings } };
      const where = parseExperiment({ ...link, environment: place, seed: seed ?? link.seed });
      const world = createEnvironment(where);
      const strangeness = strangenessOf(policy, world);
      if (strangeness !== null) throw new LabError('unsupported', strangeness, 'Leave out the settings.');
      const backend = await createCpuBackend();
      try {
        const player = await PolicyPlayer.open(backend, bytes, policy, world, where.seed);
        try {
          return { runtime: player.runtime, ...(await player.playAll(episodes)) };
        } finally {
          await player.dispose();
        }
      } finally {
        backend.dispose();
      }
    },
  };
}
