/** Recorded results of presets, drawn behind the charts of anyone who opens the preset: a run is judged against them. */
import { branchesOf } from '../../experiment/arm/branch';
import type { Experiment } from '../../experiment/experiment';
import { findPreset } from '../../experiment/presets/presets';
import type { Ghost } from '../../measured/curves';
import { ghostOf, type Sent } from '../../measured/sentResult';
import { isLive, type LabState, type LabStore, pendingDifferences } from '../lab';
import { recordingOf } from './recordings';

/** Name of a recording's curves. */
const AS_RECORDED = 'as recorded';
/** Name of the curves that a run had before it went back to grow a branch. */
export const BEFORE_BRANCH = 'before the branch';

/** True for curves behind the charts that nobody chose: others may take their place. */
export const isReplaceable = ({ label }: Ghost): boolean => label === AS_RECORDED || label === BEFORE_BRANCH;

const hasBranches = (store: LabStore): boolean => branchesOf(shownExperiment(store.getState())).size > 0;

/** Keeps the recording of the preset on screen behind the charts, unless a link brought a result or a run is pinned. */
export function followRecordings(store: LabStore): void {
  let latest = 0;
  const show = async (): Promise<void> => {
    latest += 1;
    const request = latest;
    const recording = await recordingFor(shownExperiment(store.getState()));
    const { sent, ghost } = store.getState();
    if (request !== latest || (sent !== null && sent.from !== 'recording')) return;
    // Curves behind the charts stay if the person chose them, or if a branch needs them; a former recording's do not.
    const stays = ghost !== null && (!isReplaceable(ghost) || (ghost.label === BEFORE_BRANCH && hasBranches(store)));
    store.setState({ sent: recording, ghost: stays ? ghost : (recording?.ghost ?? null) });
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

/** Recording of an experiment's arms that have one; null if none has. */
async function recordingFor(shown: Experiment): Promise<Sent | null> {
  const result = await recordingOf(shown);
  const experiment = findPreset(shown.preset)?.experiment;
  if (result === null || experiment === undefined) return null;
  return { from: 'recording', result, experiment, ghost: ghostOf(result, AS_RECORDED) };
}
