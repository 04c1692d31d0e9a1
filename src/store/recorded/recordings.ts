/**
 * Recorded runs of presets (`npm run record`), loaded when asked for. All were trained on
 * the plain CPU backend.
 */

import type { SharedResult } from '../../experiment/conclude/result';
import type { Arm, Experiment } from '../../experiment/experiment';
import { findPreset } from '../../experiment/presets/presets';
import { isAsPublished } from '../../experiment/presets/published';
import type { RecordedEpisodes } from '../../measured/recordedEpisodes';

const RESULTS = import.meta.glob<SharedResult>('./*.json', { import: 'default' });
const EPISODES = import.meta.glob<RecordedEpisodes>('./episodes/*.json', { import: 'default' });

/** Loader of an experiment's recorded result; undefined if there is none. */
export const recordedResultOf = (experiment: Experiment): (() => Promise<SharedResult>) | undefined =>
  isAsPublished(experiment) ? RESULTS[`./${experiment.preset}.json`] : undefined;

/**
 * Ids of the arms that train as the preset's recorded ones, under any name and beside any other arms: nothing but its own
 * settings decides an arm's numbers. None where more than arms differs.
 */
function recordedArms(shown: Experiment): readonly string[] {
  const { preset } = shown;
  const published = findPreset(preset)?.experiment.arms;
  const isRecorded = RESULTS[`./${preset}.json`] !== undefined;
  if (!isRecorded || published === undefined || !isAsPublished({ ...shown, arms: published })) return [];
  const isSame = (arm: Arm, own: Arm) => JSON.stringify({ ...arm, name: own.name }) === JSON.stringify(own);
  return shown.arms.filter((arm) => published.some((own) => isSame(arm, own))).map(({ id }) => id);
}

/** Recorded result of the shown arms; null if there is none. */
export async function recordingOf(shown: Experiment): Promise<SharedResult | null> {
  const arms = recordedArms(shown);
  if (arms.length === 0) return null;
  const result = await RESULTS[`./${shown.preset}.json`]?.();
  return result === undefined ? null : { ...result, arms: result.arms.filter(({ id }) => arms.includes(id)) };
}

/** Arms that will have episodes of the recording to show. */
export const armsWithEpisodes = (shown: Experiment): readonly string[] =>
  EPISODES[`./episodes/${shown.preset}.json`] === undefined ? [] : recordedArms(shown);

/** Episodes of a preset's recorded run; null if none are recorded. */
export async function recordedEpisodesOf(preset: string): Promise<RecordedEpisodes | null> {
  return (await EPISODES[`./episodes/${preset}.json`]?.()) ?? null;
}
