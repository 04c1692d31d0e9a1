/** Problems for PyTorch's scripts: the same policy from the same initial parameters, arrays in base64. */
import type { Environment } from '../../src/environments/environment';
import { TRAINED } from '../../src/environments/listener/listener';
import { THINGS, TOM, textOf } from '../../src/environments/listener/pieces';
import { type Experiment, getArmSetting } from '../../src/experiment/experiment';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { inOne } from '../../src/policy/frozen';
import { initialParameters, layoutParameters } from '../../src/policy/parameters';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { encodeAll } from './arrays';
import { baseOf } from './ourUpdate';
import { drawTokens, LEARNING_RATE, type Shape } from './shapes';
import { ARM_SETTINGS, WORLD_SETTINGS } from './updateExperiment';

/**
 * Shape, and name → [offset, dimensions] of the parameters; the critic's head is left out. base: weights to begin from, in place of
 * drawn ones.
 */
function policyProblem(
  policy: PolicyConfiguration,
  seed: number,
  arrays: Readonly<Record<string, Uint32Array>> = {},
  base: Float32Array | null = null,
) {
  const layout = layoutParameters(policy);
  const used = layout.specs.filter(({ name }) => !name.startsWith('value.'));
  const [head] = layout.specs.filter(({ name }) => name.startsWith('value.'));
  const parameters = (base ?? initialParameters(layout, seed, 0)).subarray(0, head?.offset);
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

/** What torchListener.py is told of its world. */
const listenerProblem = ({ words, maxTurns: turns, maxActionTokens: longest, stopTokens: ends }: Environment) => ({
  ...TOM,
  things: THINGS.map(({ name }) => name),
  texts: words.map((_, token) => textOf([token])),
  trained: TRAINED,
  turns,
  longest,
  ends,
});

/** Problem of an experiment from updateExperiment.ts. */
export async function updateProblem(experiment: Experiment) {
  const [arm] = experiment.arms as [Experiment['arms'][number]];
  const environment = createEnvironment(experiment);
  const { configuration } = policyShape(experiment, environment);
  const world = experiment.environment.settings;
  const [stored] = (await baseOf(experiment)).values();
  const base = stored === undefined || stored instanceof Float32Array ? null : inOne(configuration, stored);
  return {
    ...policyProblem(configuration, experiment.seed, {}, base),
    ...(base && { world: listenerProblem(environment) }),
    settings: {
      ...Object.fromEntries(ARM_SETTINGS.map((path) => [path, getArmSetting(arm, path)])),
      ...Object.fromEntries(WORLD_SETTINGS.map((key) => [key, world[key]])),
      ...experiment.batch,
      seed: experiment.seed,
    },
  };
}
