/** The experiment that a written world goes into, and its own program where that is another. */
import type { Experiment } from '../../experiment/experiment';
import { textOf } from '../../experiment/ownWorld';
import { forOneFile } from '../../experiment/presets/ownWorlds';
import { findPreset } from '../../experiment/presets/presets';
import { differencesOf } from '../edit/differences';
import type { WorldDeskState } from './worldDeskState';

/**
 * Experiment that a written world is put into: the one on screen. In place of a preset of another world that nobody has changed
 * it is the one that worlds in one file begin with, for the preset's settings were chosen for its own world.
 */
export function hostOf(edited: Experiment): Experiment {
  const preset = findPreset(edited.preset)?.experiment;
  const isUntouched = preset !== undefined && differencesOf(preset, edited).length === 0;
  return isUntouched && edited.environment.id !== 'own' ? forOneFile : edited;
}

/** Program of the experiment where it is another than the text at the desk and did not come from there; null otherwise. */
export function programElsewhere(
  { text, trained }: Pick<WorldDeskState, 'text' | 'trained'>,
  { environment }: Pick<Experiment, 'environment'>,
): string | null {
  const program = textOf(environment.settings);
  const isOthers = program !== undefined && !program.startsWith('@') && program !== text && program !== trained;
  return isOthers ? program : null;
}
