/** All arms of an experiment as one Training: some train on the chosen backend, fixed policies play beside them. */

import { isFixed } from '../../experiment/arm/policyFiles';
import type { Experiment } from '../../experiment/experiment';
import type { Member } from '../../rl/population';
import { MixedTraining } from '../population/mixed';
import {
  chooseMembers,
  type FilePolicies,
  type MemberChoice,
  type Training,
  weightsFor,
  weightsOf,
} from '../population/training';
import type { ChosenBackend } from './choose/backends';

export interface AssemblyOptions extends MemberChoice {
  readonly halvings: number;
  /** Policies of every file that the experiment names. */
  readonly policies?: FilePolicies;
}

export interface Assembled {
  readonly training: Training;
  /** Descriptions of the runtime of each fixed policy, for the person; by the arm's id. */
  readonly runtimes: Readonly<Record<string, string>>;
}

/** Builds the Training. Throws LabError, and has then freed the backend. */
export async function assemble(
  chosen: ChosenBackend,
  experiment: Experiment,
  { halvings, policies = new Map(), ...choice }: AssemblyOptions,
): Promise<Assembled> {
  const members = chooseMembers(experiment, choice);
  const isOfFile = ({ armIndex }: Member): boolean => experiment.arms.some((arm, i) => i === armIndex && isFixed(arm));
  const [fixed, trained] = [members.filter(isOfFile), members.filter((member) => !isOfFile(member))];
  const weights = weightsFor(experiment, trained, weightsOf(policies));
  const train = (): Training => chosen.train(experiment, { members: trained, halvings, weights });
  if (fixed.length === 0) return { training: train(), runtimes: {} };
  const playing = await openFixed(chosen, experiment, fixed, policies);
  const { runtimes } = playing;
  if (trained.length === 0) {
    chosen.release();
    return { training: playing, runtimes };
  }
  try {
    return { training: new MixedTraining(members, train(), playing), runtimes };
  } catch (cause) {
    playing.dispose();
    throw cause;
  }
}

async function openFixed(
  chosen: ChosenBackend,
  experiment: Experiment,
  members: readonly Member[],
  policies: FilePolicies,
) {
  try {
    // onnxruntime is loaded only for such arms.
    const { FixedPolicies } = await import('../policies/fixed');
    return await FixedPolicies.open(experiment, members, policies);
  } catch (cause) {
    chosen.release();
    throw cause;
  }
}
