/** Comparison of an experiment with the preset it names. */
import type { Experiment } from './experiment';
import { findPreset } from './presets';

/** True if no more than title, length and timeline differs: until a change acts, the numbers are those of the preset. */
export function isAsPublished(shown: Experiment): boolean {
  const experiment = findPreset(shown.preset)?.experiment;
  if (experiment === undefined) return false;
  const { title, updates, timeline } = experiment;
  return JSON.stringify({ ...shown, title, updates, timeline }) === JSON.stringify(experiment);
}
