/** One member of a run as a policy that can leave the lab. */

import { isFixed } from '../../experiment/arm/policyFiles';
import { scheduledArm } from '../../experiment/arm/schedule';
import { final } from '../../experiment/conclude/statistics';
import { encodeLink } from '../../experiment/link/link';
import { type BaseModel, findModel } from '../../experiment/models';
import { parseExperiment } from '../../experiment/parse';
import { effectiveArms } from '../../experiment/timeline';
import { LabError } from '../../foundation/errors';
import type { OnnxPolicy } from '../../onnx/exportOnnx';
import { layoutParameters } from '../../policy/parameters';
import { METRIC, METRICS, type MetricName } from '../../rl/measure/metrics';
import { createEnvironment, policyShape } from '../population/shape';
import type { Checkpoint } from '../run/keep/checkpoint';

/** Parts of a checkpoint that a policy's file is made from. */
export type PolicySource = Pick<Checkpoint, 'snapshot' | 'experiment' | 'machines'>;

export interface MemberPolicy extends OnnxPolicy {
  /** Language model that it began from. */
  readonly base: BaseModel | null;
}

/**
 * Policy of member `index`; float64 parameters (the reference backend's) are rounded to float32. results: metrics of its
 * training, by name. Throws LabError 'invalid-experiment' for a run that does not fit its own experiment, 'invalid-policy'
 * for a fixed policy.
 */
export function memberPolicy(
  { snapshot, experiment: input, machines }: PolicySource,
  index: number,
  results: OnnxPolicy['results'],
  licence: string,
): MemberPolicy {
  const { update, members, timeline, tensors } = snapshot;
  const experiment = parseExperiment({ ...input, timeline });
  const { vocabulary, configuration } = policyShape(experiment, createEnvironment(experiment));
  const member = members[index];
  const arm = effectiveArms(experiment, update).find(({ id }) => id === member?.arm);
  const { size } = layoutParameters(configuration);
  const trained = members.filter(({ arm }) => experiment.arms.some((one) => one.id === arm && !isFixed(one)));
  if (member !== undefined && arm !== undefined && isFixed(arm)) {
    const what = `${arm.name} is a fixed policy: it learned nothing that its file does not hold.`;
    throw new LabError('invalid-policy', what, 'Choose a member that trains, or take the file itself.');
  }
  if (member === undefined || arm === undefined || tensors.parameters.length !== size * trained.length) {
    const what = 'The checkpoint’s policies are not those of its experiment.';
    throw new LabError('invalid-experiment', what, 'Choose a checkpoint that this lab wrote.');
  }
  const row = trained.indexOf(member);
  return {
    parameters: Float32Array.from(tensors.parameters.subarray(row * size, (row + 1) * size)),
    configuration,
    vocabulary: vocabulary.words,
    environment: experiment.environment,
    experiment: encodeLink(experiment, machines),
    member: { arm: member.arm, seed: member.seed },
    update,
    temperature: scheduledArm(arm, update).temperature,
    results,
    licence,
    base: findModel(experiment.policy.model) ?? null,
  };
}

/** Origin of a policy, as texts beside its tensors. */
export const aboutPolicy = ({ experiment, licence, update, member }: OnnxPolicy): Record<string, string> => ({
  experiment,
  licence,
  update: String(update),
  member: `${member.arm}/${member.seed}`,
});

/** Results of a member. curve: values of a metric at each update, NaN where undefined. */
export function resultsOf(curve: (metric: MetricName) => readonly number[]): OnnxPolicy['results'] {
  return {
    successRate: final(curve('successRate')),
    observationCrossEntropy: final(curve('observationCrossEntropy')),
    heldOutSuccess: curve('heldOutSuccess').findLast(Number.isFinite) ?? null,
  };
}

/** Curves of member `index`. curves: [updates, P, METRICS.length] flat. */
export function curvesOf(
  curves: Float32Array,
  members: number,
  index: number,
): (metric: MetricName) => readonly number[] {
  const updates = curves.length / (members * METRICS.length);
  return (metric) =>
    Array.from({ length: updates }, (_, u) => curves[(u * members + index) * METRICS.length + METRIC[metric]] ?? NaN);
}
