/**
 * A policy out of a file, unchanged, playing in the world it was trained in. onnxruntime-web computes its logits; the lab's
 * kernels draw from them and score the tokens, on the same GPU where possible. Loaded when a policy is to play.
 */
import { decodeLink } from '../../experiment/link/link';
import { parseExperiment } from '../../experiment/parse';
import { createEnvironment } from '../population/shape';
import type { BackendChoice, PlayedPolicy } from '../protocol';
import { openBackend } from '../run/choose/backends';
import { readPolicy } from './files';
import { PolicyPlayer } from './player';

/** Number of episodes, each on a task of its own. */
const EPISODES = 64;

/** Plays a policy's file. Throws LabError where it holds no policy, or backend or onnxruntime cannot be had. */
export async function playPolicy(file: Blob, choice: BackendChoice, gpu?: GPU): Promise<PlayedPolicy> {
  const { bytes, policy, sha256 } = await readPolicy(file);
  const { environment: place, experiment } = policy;
  const { seed, environment } = parseExperiment({ ...decodeLink(experiment), environment: place });
  const world = createEnvironment({ environment });
  const { backend, device } = await openBackend(choice, gpu);
  try {
    const player = await PolicyPlayer.open(backend, bytes, policy, world, seed);
    try {
      const played = await player.play('train', EPISODES);
      return { sha256, environment, played, runtime: player.runtime, kernels: device, episode: player.episode(0) };
    } finally {
      await player.dispose();
    }
  } finally {
    backend.dispose();
  }
}
