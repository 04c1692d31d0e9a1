/**
 * Recorded runs of presets (`npm run record`), loaded when asked for. All were trained on
 * the plain CPU backend.
 */

import type { SharedResult } from '../../experiment/conclude/result';
import type { Experiment } from '../../experiment/experiment';
import { isAsPublished } from '../../experiment/presets/published';
import type { RecordedEpisodes } from './recordedEpisodes';

const RESULTS = import.meta.glob<SharedResult>('./*.json', { import: 'default' });
const EPISODES = import.meta.glob<RecordedEpisodes>('./episodes/*.json', { import: 'default' });

/** Loader of an experiment's recorded result; undefined if there is none. */
export const recordedResultOf = (experiment: Experiment): (() => Promise<SharedResult>) | undefined =>
  isAsPublished(experiment) ? RESULTS[`./${experiment.preset}.json`] : undefined;

/** True if episodes of this very experiment's run are recorded: then they will be shown. */
export const hasRecordedEpisodes = (experiment: Experiment): boolean =>
  EPISODES[`./episodes/${experiment.preset}.json`] !== undefined && isAsPublished(experiment);

/** Episodes of a preset's recorded run; null if none are recorded. */
export async function recordedEpisodesOf(preset: string): Promise<RecordedEpisodes | null> {
  return (await EPISODES[`./episodes/${preset}.json`]?.()) ?? null;
}
