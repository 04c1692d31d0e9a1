/** The experiment that a written world goes into, and its own program where that is another. */
import { secondsFor } from '../../experiment/duration';
import type { Experiment } from '../../experiment/experiment';
import { textOf } from '../../experiment/ownWorld';
import { findPreset } from '../../experiment/presets/presets';
import { forOneFile } from '../../experiment/presets/worlds/ownWorlds';
import { forTexts } from '../../experiment/presets/worlds/words';
import { differencesOf } from '../edit/differences';
import type { WorldDeskState } from './worldDeskState';

/**
 * Experiment that a written world is put into: the one on screen. In place of a preset of another world that nobody has changed
 * it is the one that worlds in one file begin with, for the preset's settings were chosen for its own world.
 */
export function hostOf(edited: Experiment, isText = false): Experiment {
  const preset = findPreset(edited.preset)?.experiment;
  const isUntouched = preset !== undefined && differencesOf(preset, edited).length === 0;
  return isUntouched && edited.environment.id !== 'own' ? beginningFor(isText) : edited;
}

const beginningFor = (isText: boolean): Experiment => (isText ? forTexts : forOneFile);

/** Seconds on two processor cores that a quick run may take, as estimated; fewer updates than the least show no curve. */
const QUICK_SECONDS = 6;
const [LEAST_UPDATES, MOST_UPDATES] = [20, 150];
/** Updates below which a second seed is left out. */
const WITH_TWO_SEEDS = 40;

/** A world whose words and tokens the checks have counted. */
interface Counted {
  readonly words: number;
  readonly context: number;
  readonly isText?: boolean;
}

/** Experiment for a first curve: two arms without a warm start, as short as it must be in a world of so many words and tokens. */
export function quickHost({ words, context, isText = false }: Counted): Experiment {
  const host = beginningFor(isText);
  const quick = { ...host, batch: { ...host.batch, groups: 8 } };
  const updatesWith = (seeds: number): number =>
    Math.floor(QUICK_SECONDS / secondsFor({ ...quick, seeds, updates: 10 }, words, context)) * 10;
  const seeds = updatesWith(2) >= WITH_TWO_SEEDS ? 2 : 1;
  return { ...quick, seeds, updates: Math.min(Math.max(updatesWith(seeds), LEAST_UPDATES), MOST_UPDATES) };
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
