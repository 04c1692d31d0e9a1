/**
 * Recorded results of presets (`npm run record`). They are drawn behind the charts of anyone who opens the preset, and a
 * run is judged against them. Published presets do not change, so a recording stays valid.
 */
import { branchesOf } from '../experiment/branch';
import type { Experiment } from '../experiment/experiment';
import { findPreset } from '../experiment/presets';
import type { SharedResult } from '../experiment/result';
import { isLive, type LabState, type LabStore, pendingDifferences } from './lab';
import type { RecordedEpisodes } from './recordedEpisodes';
import { ghostOf, type Sent } from './sentResult';

/** Name of a recording's curves. */
const AS_RECORDED = 'as recorded';

/** Loaders of the recordings; each is loaded when asked for. */
const RECORDINGS = import.meta.glob<SharedResult>('./recorded/*.json', { import: 'default' });

/** Loaders of recorded episodes, likewise. */
const EPISODES = import.meta.glob<RecordedEpisodes>('./recorded/episodes/*.json', { import: 'default' });

/** True if episodes of this very experiment's run are recorded: then they will be shown. */
export const hasRecordedEpisodes = (experiment: Experiment): boolean =>
  EPISODES[`./recorded/episodes/${experiment.preset}.json`] !== undefined && isAsRecorded(experiment);

/** Episodes of a preset's recorded run; null if none are recorded. */
export async function recordedEpisodesOf(preset: string): Promise<RecordedEpisodes | null> {
  return (await EPISODES[`./recorded/episodes/${preset}.json`]?.()) ?? null;
}

/** Keeps the recording of the preset on screen behind the charts, unless a link brought a result or a run is pinned. */
export function followRecordings(store: LabStore): void {
  let latest = 0;
  const show = async (): Promise<void> => {
    latest += 1;
    const asked = latest;
    const recording = await recordingOf(shownExperiment(store.getState()));
    const { sent, ghost } = store.getState();
    if (asked !== latest || (sent !== null && sent.from !== 'recording')) return;
    // Of the recording on screen, whole or up to an update, nothing stays.
    const isFree = ghost === null || ghost.label === AS_RECORDED;
    store.setState({ sent: recording, ghost: isFree ? (recording?.ghost ?? null) : ghost });
  };
  void show();
  let shown = shownExperiment(store.getState());
  store.subscribe((now, before) => {
    if (LOOKED_AT.every((part) => now[part] === before[part])) return;
    const next = shownExperiment(now);
    if (next !== shown) void show();
    shown = next;
  });
}

const LOOKED_AT = ['edited', 'running', 'told', 'marks', 'phase'] as const;

/** The run, as long as it trains or nothing was edited since. */
const shownExperiment = (state: LabState): Experiment =>
  state.running !== null && (isLive(state) || pendingDifferences(state).length === 0) ? state.running : state.edited;

/** True if no more than title, length and timeline differs from the preset. */
function isAsRecorded(shown: Experiment): boolean {
  const experiment = findPreset(shown.preset)?.experiment;
  if (experiment === undefined) return false;
  const { title, updates, timeline } = experiment;
  return JSON.stringify({ ...shown, title, updates, timeline }) === JSON.stringify(experiment);
}

/** The experiment as it was before arms of it branched: the others train as they did. */
function withoutBranches(shown: Experiment): Experiment {
  const branches = branchesOf(shown);
  return { ...shown, arms: shown.arms.filter(({ id }) => !branches.has(id)) };
}

/** Recording of an experiment; null if there is none. */
async function recordingOf(shown: Experiment): Promise<Sent | null> {
  const load = RECORDINGS[`./recorded/${shown.preset}.json`];
  const experiment = findPreset(shown.preset)?.experiment;
  const isOfPreset = isAsRecorded(shown) || isAsRecorded(withoutBranches(shown));
  if (load === undefined || experiment === undefined || !isOfPreset) return null;
  const result = await load();
  return { from: 'recording', result, experiment, ghost: ghostOf(result, AS_RECORDED) };
}
