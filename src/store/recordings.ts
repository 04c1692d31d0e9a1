/**
 * Recorded runs of presets (`npm run record`), loaded when asked for; and which experiments it is of. Published presets do not
 * change, so a recording stays valid.
 */
import type { Experiment } from '../experiment/experiment';
import { findPreset } from '../experiment/presets';
import type { SharedResult } from '../experiment/result';
import type { RecordedEpisodes } from './recordedEpisodes';

const RESULTS = import.meta.glob<SharedResult>('./recorded/*.json', { import: 'default' });
const EPISODES = import.meta.glob<RecordedEpisodes>('./recorded/episodes/*.json', { import: 'default' });

/** True if no more than title, length and timeline differs from the preset. */
function isAsRecorded(shown: Experiment): boolean {
  const experiment = findPreset(shown.preset)?.experiment;
  if (experiment === undefined) return false;
  const { title, updates, timeline } = experiment;
  return JSON.stringify({ ...shown, title, updates, timeline }) === JSON.stringify(experiment);
}

/** Loader of an experiment's recorded result; undefined if there is none. */
export const recordedResultOf = (experiment: Experiment): (() => Promise<SharedResult>) | undefined =>
  isAsRecorded(experiment) ? RESULTS[`./recorded/${experiment.preset}.json`] : undefined;

/** True if episodes of this very experiment's run are recorded: then they will be shown. */
export const hasRecordedEpisodes = (experiment: Experiment): boolean =>
  EPISODES[`./recorded/episodes/${experiment.preset}.json`] !== undefined && isAsRecorded(experiment);

/** Episodes of a preset's recorded run; null if none are recorded. */
export async function recordedEpisodesOf(preset: string): Promise<RecordedEpisodes | null> {
  return (await EPISODES[`./recorded/episodes/${preset}.json`]?.()) ?? null;
}
