/** Problems for PyTorch's scripts: the same policy from the same initial parameters, arrays in base64. */
import { type Experiment, getArmSetting } from '../../src/experiment/experiment';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { initialParameters, layoutParameters } from '../../src/policy/parameters';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { encodeAll } from './arrays';
import { drawTokens, LEARNING_RATE, type Shape } from './shapes';
import { ARM_SETTINGS, WORLD_SETTINGS } from './updateExperiment';

/** Shape, and name → [offset, dimensions] of the parameters; the critic's head is left out. */
function policyProblem(policy: PolicyConfiguration, seed: number, arrays: Readonly<Record<string, Uint32Array>> = {}) {
  const layout = layoutParameters(policy);
  const used = layout.specs.filter(({ name }) => !name.startsWith('value.'));
  const [head] = layout.specs.filter(({ name }) => name.startsWith('value.'));
  const parameters = initialParameters(layout, seed, 0).subarray(0, head?.offset);
  return {
    policy,
    layout: Object.fromEntries(used.map(({ name, offset, shape }) => [name, [offset, shape]])),
    arrays: encodeAll({ parameters, ...arrays }),
  };
}

export const stepProblem = (shape: Shape) => ({
  ...policyProblem(shape.policy, 1, { tokens: drawTokens(shape) }),
  learningRate: LEARNING_RATE,
});

/** Problem of an experiment from updateExperiment.ts. */
export function updateProblem(experiment: Experiment) {
  const [arm] = experiment.arms as [Experiment['arms'][number]];
  const { configuration } = policyShape(experiment, createEnvironment(experiment));
  const world = experiment.environment.settings;
  return {
    ...policyProblem(configuration, experiment.seed),
    settings: {
      ...Object.fromEntries(ARM_SETTINGS.map((path) => [path, getArmSetting(arm, path)])),
      ...Object.fromEntries(WORLD_SETTINGS.map((key) => [key, world[key]])),
      ...experiment.batch,
      seed: experiment.seed,
    },
  };
}
