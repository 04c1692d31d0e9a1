/** Comparison of an experiment with the preset it names. */
import type { Experiment } from '../experiment';
import { findPreset } from './presets';

/**
 * True if no more than title, length, timeline and examinations of the tool differ: until a change acts, the numbers of the
 * training are those of the preset.
 */
export function isAsPublished(shown: Experiment): boolean {
  const experiment = findPreset(shown.preset)?.experiment;
  if (experiment === undefined) return false;
  const { title, updates, timeline } = experiment;
  const evaluation = { ...shown.evaluation, toolEvery: experiment.evaluation.toolEvery };
  return JSON.stringify({ ...shown, title, updates, timeline, evaluation }) === JSON.stringify(experiment);
}
