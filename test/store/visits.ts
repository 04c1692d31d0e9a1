/** Visits to the lab in one browser, which keeps runs and policies in memory, with a trainer that a test scripts. */
import { vi } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { type Lab, openLab } from '../../src/store/openLab';
import { encodePiece } from '../../src/train/run/curvePieces';
import { memoryRuns } from '../support/memoryRuns';
import { MemorySnapshots } from '../support/memorySnapshots';
import { type ScriptedWorker, workers } from './scriptedWorker';

const { experiment } = defaultPreset;
export const MEMBERS = experiment.arms.length * experiment.seeds;

/** With fake timers: resolves when all that waits for storage is done. */
export const settled = () => vi.advanceTimersByTimeAsync(0);

export function browser() {
  const { archive, runs } = memoryRuns();
  const states = new MemorySnapshots();
  const visit = (fragment = '') => {
    const worker = workers();
    const lab = openLab(
      fragment,
      worker.start,
      async () => archive,
      async () => states,
    );
    return { lab, worker };
  };
  return { runs, states, visit };
}

/** Measurements of some updates with one success rate. */
export function measured(count: number, success: number, of = MEMBERS): Float32Array {
  const values = new Float32Array(count * of * METRICS.length).fill(Number.NaN);
  for (let at = METRIC.successRate; at < values.length; at += METRICS.length) values[at] = success;
  return values;
}

/** Measures some updates as the trainer does. */
export function measure(worker: ScriptedWorker, update: number, count: number, of = MEMBERS, success = 0.25): void {
  worker.measure(update, count, of, measured(count, success, of));
}

/** Saves a state as the trainer does, with the curves since update `from`, and says so. */
export async function keep(
  lab: Lab,
  worker: ScriptedWorker,
  states: MemorySnapshots,
  update: number,
  from = 0,
): Promise<void> {
  const { run, running, history } = lab.store.getState();
  const values = history?.values() ?? new Float32Array();
  const size = values.length / (history?.count ?? 1);
  const rows = Array.from({ length: update - from }, (_, i) => ({
    metrics: values.subarray((from + i) * size, (from + i + 1) * size),
    seconds: 0.5,
    tokens: 1,
  }));
  const [state, curves] = [new Uint8Array(8), encodePiece(from, rows)];
  await states.put({ run, update, updates: running?.updates ?? 0, seconds: 1, from, state, curves, healthy: true });
  worker.say({ type: 'kept', update, dropped: [] });
  await settled();
}
