/**
 * Steering of a member of a run, on a CPU backend of its own whatever it trains on: a survey for findings, single beliefs for
 * the page. Loaded when asked for; training does not need it.
 */
import type { Experiment } from '../../experiment/experiment';
import { openWorldsOf } from '../../experiment/ownWorld';
import type { SteeringShares } from '../../rl/steering/measure';
import { Steering } from '../../rl/steering/survey';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { memberPolicy, type PolicySource } from '../policies/member';
import { createEnvironment } from '../population/shape';

interface OpenSteering {
  readonly steering: Steering;
  close(): void;
}

/** Parts of a run that a member's policy and its world are made from. */
type SteeredRun = PolicySource & { readonly experiment: Experiment };

/** Throws LabError 'unsupported' where the world has no cells to believe in, 'invalid-policy' for a fixed policy. */
async function openSteering(source: SteeredRun, index: number): Promise<OpenSteering> {
  const { experiment } = source;
  await openWorldsOf(experiment);
  const policy = memberPolicy(source, index, {}, '');
  const backend = await createCpuBackend();
  const seeds = { experiment: experiment.seed, member: policy.member.seed };
  try {
    const steering = await Steering.open(backend, policy, createEnvironment(experiment), seeds);
    return { steering, close: () => backend.dispose() };
  } catch (cause) {
    backend.dispose();
    throw cause;
  }
}

/** Survey of the first member of a run. */
export async function surveyOf(source: SteeredRun): Promise<SteeringShares[]> {
  const { steering, close } = await openSteering(source, 0);
  try {
    return await steering.survey();
  } finally {
    close();
  }
}
