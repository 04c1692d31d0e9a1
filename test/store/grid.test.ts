// A sweep over several populations in the page: its cells one after the other, what counts, and what is found after a reload.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Experiment } from '../../src/experiment/experiment';
import { type Axis, readAxes } from '../../src/experiment/grid/axes';
import type { MachineEntry } from '../../src/experiment/machines';
import { findPreset } from '../../src/experiment/presets/presets';
import { NUMERICS } from '../../src/experiment/provenance';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { Grid, NO_GRID, secondsLeft } from '../../src/store/keep/grid';
import type { KeptRunsState } from '../../src/store/keep/keptRuns';
import { createLabStore, type LabState } from '../../src/store/lab';
import { drawId } from '../../src/store/run/onScreen';
import { stubLocalStorage } from '../support/localTexts';

const preset = findPreset('gridworld-tiny')?.experiment as Experiment;
const experiment: Experiment = { ...preset, arms: preset.arms.slice(0, 1), updates: 4 };
const AXES: readonly Axis[] = readAxes('batch.groupSize=2,4,8');

/** Curves of a run whose success is the same in all updates. */
function historyOf({ arms, seeds, updates }: Experiment, success: number): MetricHistory {
  const history = new MetricHistory(arms.length, seeds);
  const members = arms.length * seeds;
  const values = new Float32Array(updates * members * METRICS.length);
  for (let row = 0; row < updates * members; row++) values[row * METRICS.length + METRIC.successRate] = success;
  history.append(0, updates, members, values, new Float32Array(updates).fill(2));
  return history;
}

/** A page around a sweep: runs begin when they are asked to, and come to their ends when the test says so. */
function page() {
  const store = createLabStore();
  const keptStore = createStore<Pick<KeptRunsState, 'isOpened' | 'runs' | 'states'>>(() => ({
    isOpened: true,
    runs: [],
    states: {},
  }));
  const histories = new Map<string, MetricHistory>();
  const kept = {
    store: keptStore as never,
    show: vi.fn(async ({ run, experiment: of }: { run: string; experiment: Experiment }) =>
      store.setState({ run, running: of, phase: 'restored' }),
    ),
    read: vi.fn(async (run: { run: string; experiment: Experiment }) => {
      return { experiment: run.experiment, history: histories.get(run.run) as MetricHistory, looks: {} as never };
    }),
    annotateRun: vi.fn(async () => {}),
  };
  const runner = { pause: vi.fn(), resume: vi.fn(), resumeKept: vi.fn(async () => {}) };
  const editor = {
    reset: () => store.setState({ running: null, run: '', phase: 'idle' }),
    replace: (edited: Experiment) => store.setState({ edited }),
    run: () => store.setState({ run: drawId(), running: store.getState().edited, phase: 'running', update: 0 }),
  };
  const leaving = { ask: (_: string, go: () => void) => go(), end: (go: () => void) => go() };
  const open = () => new Grid({ store, editor, runner, kept: kept as never, leaving });
  /** Keeps the run on screen after so many updates. */
  const keep = (updates: number, machines: readonly MachineEntry[] = []) => {
    const { run, running } = store.getState();
    const { runs } = keptStore.getState();
    const one = { id: runs.length + 1, run, updates, experiment: running, machines } as unknown as KeptRun;
    keptStore.setState({ runs: [one, ...runs] });
  };
  const finish = (success: number, change: Partial<LabState> = {}) => {
    const { run, running } = store.getState();
    const history = historyOf(running as Experiment, success);
    histories.set(run, history);
    keep(history.count);
    store.setState({ phase: 'finished', update: history.count, history, ...change });
  };
  return { store, keptStore, kept, runner, open, keep, finish };
}

type KeptRun = KeptRunsState['runs'][number];

const settle = () => new Promise((resolve) => setTimeout(resolve));
const sizeOnScreen = ({ store }: ReturnType<typeof page>) => store.getState().running?.batch.groupSize;

/** A sweep whose first run has begun. */
async function begun() {
  const here = page();
  const grid = here.open();
  grid.begin(experiment, AXES);
  await settle();
  return { here, grid };
}

beforeEach(stubLocalStorage);

describe('a sweep over populations', () => {
  test('trains cell after cell, and has the numbers of each', async () => {
    const here = page();
    const grid = here.open();
    grid.begin(experiment, AXES);
    const sizes: unknown[] = [];
    for (const success of [0.25, 0.75, 0.5]) {
      await settle();
      sizes.push(sizeOnScreen(here));
      here.finish(success);
    }
    await settle();
    expect(sizes).toEqual([2, 4, 8]);
    const { cells, current } = grid.store.getState();
    expect(cells.map(({ arms }) => arms?.[0]?.seeds[0])).toEqual([
      { seed: 0, final: 0.25, area: 0.25 },
      { seed: 0, final: 0.75, area: 0.75 },
      { seed: 0, final: 0.5, area: 0.5 },
    ]);
    expect(current).toBeNull();
    expect(here.kept.annotateRun).toHaveBeenCalledWith(grid.store.getState().cells[0]?.run, {
      name: 'Group size = 2',
      tags: ['sweep'],
    });
    // Once more: all of it again.
    grid.begin(experiment, AXES);
    await settle();
    expect(sizeOnScreen(here)).toBe(2);
  });

  test('pauses and goes on with the run on screen; another run ends it until it goes on from what is kept', async () => {
    const { here, grid } = await begun();
    grid.pause();
    expect(here.runner.pause).toHaveBeenCalled();
    here.store.setState({ phase: 'paused' });
    grid.goOn();
    expect(here.runner.resume).toHaveBeenCalled();
    const { run } = here.store.getState();
    here.keep(1);
    here.keptStore.setState({ states: { [run]: { run, updates: 4, states: [{ update: 1 }] } as never } });
    here.store.setState({ run: 'another', phase: 'running' });
    expect(grid.store.getState().current).toBeNull();
    grid.goOn();
    await settle();
    expect(here.kept.show).toHaveBeenCalledWith(expect.objectContaining({ run }));
    expect(here.runner.resumeKept).toHaveBeenCalled();
    expect(here.store.getState().run).toBe(run);
    expect(grid.store.getState().current).toBe(0);
  });

  test('stops at a run that was begun with other numerics, and says so', async () => {
    const { here, grid } = await begun();
    const { run } = here.store.getState();
    const code = { version: '0.1.0', numerics: NUMERICS.cpu + 1 };
    here.keep(1, [{ update: 0, backend: 'cpu', code }]);
    here.keptStore.setState({ states: { [run]: { run, updates: 4, states: [{ update: 1 }] } as never } });
    here.store.setState({ run: 'another', phase: 'running' });
    grid.goOn();
    await settle();
    expect(here.runner.resumeKept).not.toHaveBeenCalled();
    expect(grid.store.getState()).toMatchObject({ current: null, problem: expect.stringContaining('other numerics') });
  });

  test('does not count a run whose settings were changed', async () => {
    const { here, grid } = await begun();
    const timeline = [{ update: 1, arm: '*', setting: 'learningRate', value: 0.1 }];
    here.finish(0.5, { running: { ...(here.store.getState().running as Experiment), timeline } });
    await settle();
    const { cells, current, problem } = grid.store.getState();
    expect([cells[0]?.arms, cells[0]?.run, current]).toEqual([null, null, null]);
    expect(problem).toContain('changed while Group size = 2 trained');
  });

  test('is there after a reload, as far as its runs are kept', async () => {
    const here = page();
    const before = here.open();
    before.begin(experiment, AXES);
    for (const success of [0.25, 0.75]) {
      await settle();
      here.finish(success);
    }
    await settle();
    here.keptStore.setState({ runs: here.keptStore.getState().runs.filter(({ id }) => id !== 1) });
    const grid = here.open();
    await grid.open();
    const { cells, current } = grid.store.getState();
    expect(cells.map(({ arms }) => arms?.[0]?.seeds[0]?.final ?? null)).toEqual([null, 0.75, null]);
    expect(cells[0]?.run).toBeNull();
    // Its third run was begun, and never kept.
    expect([cells[2]?.run, current]).toEqual([null, null]);
    grid.forget();
    const forgotten = here.open();
    await forgotten.open();
    expect(forgotten.store.getState()).toEqual(NO_GRID);
  });

  test('that is no valid experiment is refused in words', () => {
    const grid = page().open();
    grid.offer(experiment, 'batch.groupSize:1,2');
    expect(grid.store.getState()).toMatchObject({ experiment: null, problem: expect.stringContaining('between 2') });
  });

  test('knows how long it takes, once a run has a pace', async () => {
    const { here, grid } = await begun();
    expect(secondsLeft(grid.store.getState(), here.store.getState())).toBeNull();
    here.store.setState({ history: historyOf(experiment, 0), update: 1 });
    // Two seconds an update: three are left of groups of 2; groups of 4 and 8 take twice and four times as long.
    expect(secondsLeft(grid.store.getState(), here.store.getState())).toBeCloseTo(2 * (3 + 4 * 2 + 4 * 4), 6);
  });
});
