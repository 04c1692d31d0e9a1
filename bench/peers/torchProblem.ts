/** Problems for PyTorch's scripts: the same policy from the same initial parameters, arrays in base64. */
import type { Experiment } from '../../src/experiment/experiment';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { initialParameters, layoutParameters } from '../../src/policy/parameters';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { drawTokens, LEARNING_RATE, type Shape } from './shapes';

const encode = (type: 'float32' | 'uint32', { buffer, byteOffset, byteLength }: Float32Array | Uint32Array) => ({
  type,
  base64: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
});

/** Shape, and name → [offset, dimensions] of the parameters; the critic's head is left out. */
function policyProblem(policy: PolicyConfiguration, seed: number, arrays: Record<string, Uint32Array> = {}) {
  const layout = layoutParameters(policy);
  const used = layout.specs.filter(({ name }) => !name.startsWith('value.'));
  const [head] = layout.specs.filter(({ name }) => name.startsWith('value.'));
  const parameters = initialParameters(layout, seed, 0).subarray(0, head?.offset);
  return {
    policy,
    layout: Object.fromEntries(used.map(({ name, offset, shape }) => [name, [offset, shape]])),
    arrays: {
      parameters: encode('float32', parameters),
      ...Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, encode('uint32', array)])),
    },
  };
}

export const stepProblem = (shape: Shape) => ({
  ...policyProblem(shape.policy, 1, { tokens: drawTokens(shape) }),
  learningRate: LEARNING_RATE,
});

/** Problem of an experiment with one arm, in the plain gridworld. */
export function updateProblem(experiment: Experiment) {
  const [arm] = experiment.arms as [Experiment['arms'][number]];
  const { configuration } = policyShape(experiment, createEnvironment(experiment));
  const { learningRate, beta1, beta2, epsilon, weightDecay, maxGradNorm, innerEpochs } = arm;
  const { clipLow, clipHigh, advantageEpsilon, entropyCoefficient } = arm;
  const { size, horizon, minimumDistance } = experiment.environment.settings;
  return {
    ...policyProblem(configuration, experiment.seed),
    settings: {
      ...{ learningRate, beta1, beta2, epsilon, weightDecay, maxGradNorm, innerEpochs },
      ...{ clipLow, clipHigh, advantageEpsilon, entropyCoefficient, worldModel: arm.ce.observation },
      ...{ size, horizon, minimumDistance, seed: experiment.seed, ...experiment.batch },
    },
  };
}
