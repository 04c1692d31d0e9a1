/** Experiments whose whole updates are compared: what torchUpdate.py and torchStory.py compute; all others are refused. */
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import { blockWidths, type PolicyConfiguration } from '../../src/policy/configuration';
import { differencesOf, type SettingDifference, timelineDifference } from '../../src/store/edit/differences';

/** Preset of which torchUpdate.py is a translation, and the arm. */
const REFERENCE = 'gridworld';
const ARM = 'world-model';

/** Preset of a language model, of which torchStory.py is a translation; its arm is the same. */
const LANGUAGE = 'listener';

/** Settings of the arm and of the world that torchUpdate.py is given; in all others it does as REFERENCE does. */
export const ARM_SETTINGS = [
  'learningRate',
  'beta1',
  'beta2',
  'epsilon',
  'weightDecay',
  'maxGradNorm',
  'innerEpochs',
  'clipLow',
  'clipHigh',
  'advantageEpsilon',
  'entropyCoefficient',
  'ce.observation',
] as const;
export const WORLD_SETTINGS = ['size', 'horizon', 'minimumDistance'] as const;

/**
 * World model's arm of a preset, one seed, without what is not done in every update and without tasks that are held out. Throws
 * LabError 'unsupported' where torchUpdate.py computes something else.
 */
export function updateExperiment(preset: string): Experiment {
  const experiment = oneMember(preset);
  const reference = oneMember(REFERENCE);
  const isLanguage = preset === LANGUAGE;
  const differences = differencesOf(reference, experiment).filter(
    (difference) => isBeyondTorch(difference) && !(isLanguage && isOfLanguage(difference)),
  );
  if (experiment.timeline.length > 0) differences.push(timelineDifference(reference.timeline, experiment.timeline));
  if (differences.length === 0) return experiment;
  const named = differences.map(({ label, path, from, to }) => `${label} (${path}) ${to} instead of ${from}`);
  throw refusal(`An update of ${preset} is not what torchUpdate.py computes: ${named.join('; ')}.`);
}

function oneMember(preset: string): Experiment {
  const experiment = findPreset(preset)?.experiment;
  if (experiment === undefined) throw refusal(`There is no preset ${preset}.`);
  const arms = experiment.arms.filter(({ id }) => id === ARM);
  if (arms.length === 0) {
    throw refusal(`${preset} has no arm ${ARM}, but ${experiment.arms.map(({ id }) => id).join(', ')}.`);
  }
  return {
    ...experiment,
    arms,
    seeds: 1,
    diagnosticsEvery: 0,
    evaluation: { ...experiment.evaluation, every: 0 },
    environment: { ...experiment.environment, settings: { ...experiment.environment.settings, heldOut: 0 } },
  };
}

/** False for what it is given. Of settings of the whole experiment only positions are not: it knows learned ones. */
function isBeyondTorch({ arm, path }: SettingDifference): boolean {
  if (arm !== null) return !ARM_SETTINGS.some((given) => given === path);
  if (path.startsWith('environment')) return !WORLD_SETTINGS.some((given) => `environment.${given}` === path);
  return path === 'policy.positions';
}

/** True for what torchStory.py does otherwise than torchUpdate.py: world, policy, no KL. */
const isOfLanguage = ({ arm, path }: SettingDifference): boolean =>
  arm === null ? /^(?:environment|policy)\b/.test(path) : path === 'klCoefficient';

const refusal = (what: string): LabError =>
  new LabError(
    'unsupported',
    what,
    `Compare ${REFERENCE}, another preset in the plain gridworld, ${LANGUAGE}, or no updates: --updates=0.`,
  );

/**
 * Flops of an update's matrix products by weights for each token: a forward pass to play; in each inner epoch one, and a backward
 * pass of two.
 */
export function flopsPerToken({ arms }: Experiment, policy: PolicyConfiguration): number {
  const { layers, width, vocabulary } = policy;
  const trained = 3 * (arms[0]?.innerEpochs ?? 0);
  const { qkv, attention, up, hidden } = blockWidths(policy);
  const blocks = layers * (qkv + attention + up + hidden) * width;
  return 2 * ((1 + trained) * blocks + trained * width * vocabulary);
}
