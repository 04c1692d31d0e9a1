/**
 * Choice of cohorts for a device (policy/cohorts.ts), by the time that its readbacks take and by the host's own time for a turn. No
 * number depends on it.
 */

import { decoderChunk } from '../../environments/replay';
import type { Experiment } from '../../experiment/experiment';
import { isOfOwnWorld } from '../../experiment/ownWorld';
import { RandomStream, STREAM } from '../../foundation/philox';
import { randomDecoder } from '../../rl/play/randomDecoder';
import { Rollout } from '../../rl/play/rollout';
import { Trajectories } from '../../rl/play/trajectories';
import { membersOf } from '../../rl/population';
import type { Backend } from '../../tensor/backend';
import { createEnvironment } from '../population/shape';

/** Readbacks tried, and batches played; the shortest counts, so that a busy moment does not. */
const TRIES = { readbacks: 12, batches: 3 };
/** Seconds a turn that a second cohort costs: some 20 dispatches, a submission and four uploads, of 5 to 10 µs each. */
const PRICE = 4e-4;

/**
 * Number of cohorts: two where their overlap is worth their dispatches, else one. They hide the wait for a readback of
 * a GPU, and half of the host's time, because the device works for one cohort while the other's worlds are stepped.
 * Where the processor computes, decoding in parts would take its own time from it. `hostSeconds`: of a turn.
 */
export async function chooseCohorts(
  backend: Backend,
  software: boolean,
  hostSeconds = 0,
  now = (): number => performance.now(),
): Promise<number> {
  if (software) return 1;
  const probe = backend.tensor('readback', 'f32', 1, 4);
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES.readbacks; i++) {
    const start = now();
    await backend.read(probe);
    shortest = Math.min(shortest, (now() - start) / 1000);
  }
  return shortest + hostSeconds / 2 < PRICE ? 1 : 2;
}

/**
 * Seconds that the host takes for a turn of a batch of all members: one member's episodes are played by chance, without a policy.
 * Worlds of the person's own are not played for this; a call into their sandbox takes longer than the price.
 */
export async function hostSecondsOf(experiment: Experiment, now = (): number => performance.now()): Promise<number> {
  const { arms, seeds, seed, batch } = experiment;
  if (isOfOwnWorld(experiment.environment)) return Number.POSITIVE_INFINITY;
  const { groups, groupSize } = batch;
  const environment = createEnvironment(experiment);
  const { context, maxTurns } = environment;
  const [members, chunk, count] = [membersOf(arms.slice(0, 1), [0]), decoderChunk(environment), groups * groupSize];
  const trajectories = new Trajectories(1, count, context, maxTurns);
  const random = randomDecoder(environment, count, 1, chunk);
  let turns = 0;
  const decoder = {
    ...random,
    turn: () => {
      turns++;
      return random.turn();
    },
  };
  const rollout = new Rollout(environment, decoder, members, { groups, groupSize, chunk });
  const drawTask = (_: number, group: number) =>
    environment.drawTask(new RandomStream(seed, STREAM.tasks, 0, 0, group));
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES.batches; i++) {
    turns = 0;
    const start = now();
    const play = { arms, experimentSeed: seed, stream: STREAM.sampling, round: 0, drawTask };
    await rollout.run(trajectories, play);
    shortest = Math.min(shortest, (now() - start) / 1000 / turns);
  }
  return shortest * arms.length * seeds;
}
