/** One member of a checkpoint as a policy that can leave the lab. */
import { encodeLink } from '../experiment/link';
import { parseExperiment } from '../experiment/parse';
import { final } from '../experiment/statistics';
import { effectiveArms } from '../experiment/timeline';
import { LabError } from '../foundation/errors';
import type { Policy } from '../onnx/exportOnnx';
import { layoutParameters } from '../policy/parameters';
import { METRIC, METRICS, type MetricName } from '../rl/metrics';
import type { Checkpoint } from './checkpoint';
import { createEnvironment, policyShape } from './policyShape';

/**
 * Throws LabError 'invalid-experiment' for a checkpoint that does not fit its own experiment. Parameters in float64 (the
 * reference backend's) are rounded to float32.
 */
export function memberPolicy(checkpoint: Checkpoint, index: number, licence: string): Policy {
  const { snapshot, curves } = checkpoint;
  const { update, members, timeline, tensors } = snapshot;
  const experiment = parseExperiment({ ...checkpoint.experiment, timeline });
  const { vocabulary, configuration } = policyShape(experiment, createEnvironment(experiment));
  const member = members[index];
  const arm = effectiveArms(experiment, update).find(({ id }) => id === member?.arm);
  const { size } = layoutParameters(configuration);
  if (member === undefined || arm === undefined || tensors.parameters.length !== size * members.length) {
    const what = 'The checkpoint’s policies are not those of its experiment.';
    throw new LabError('invalid-experiment', what, 'Choose a checkpoint that this lab wrote.');
  }
  const curve = (metric: MetricName): number[] =>
    Array.from(
      { length: update },
      (_, u) => curves[(u * members.length + index) * METRICS.length + METRIC[metric]] ?? NaN,
    );
  return {
    parameters: Float32Array.from(tensors.parameters.subarray(index * size, (index + 1) * size)),
    configuration,
    vocabulary: vocabulary.words,
    environment: experiment.environment,
    experiment: encodeLink(experiment, checkpoint.machines),
    member: { arm: member.arm, seed: member.seed },
    update,
    temperature: arm.temperature,
    results: {
      successRate: final(curve('successRate')),
      observationCrossEntropy: final(curve('observationCrossEntropy')),
      heldOutSuccess: curve('heldOutSuccess').findLast(Number.isFinite) ?? null,
    },
    licence,
  };
}
