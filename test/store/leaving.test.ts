/** Nothing ends a run by surprise: what would be lost with it, and that a link, Back and closing ask then. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MetricHistory } from '../../src/measured/history';
import { METRICS } from '../../src/rl/measure/metrics';
import { stakeOf } from '../../src/store/keep/leaving';
import { runningLab } from './scriptedWorker';

const TINY = '#preset=gridworld-tiny';
const KEPT = { shown: 1, problem: null };
const NOT_YET_KEPT = { shown: null, problem: null };

beforeEach(() => {
  vi.useFakeTimers();
});

/** A run of one update. */
function trained() {
  const { lab, worker } = runningLab(TINY);
  const { arms, seeds } = lab.editor.shared();
  worker.latest.measure(0, 1, arms.length * seeds);
  return { lab, worker };
}

describe('at stake', () => {
  const measured = new MetricHistory(1, 1);
  measured.append(0, 1, 1, new Float32Array(METRICS.length));
  const running = trained().lab.store.getState().running;
  const state = (phase: Parameters<typeof stakeOf>[0]['phase'], history: MetricHistory | null = measured) => ({
    running,
    phase,
    history,
    imitation: null,
    keptUpdate: null,
  });

  test('is what a run that can go on has learned, whether or not its curves are kept', () => {
    for (const phase of ['running', 'paused', 'ready', 'preparing', 'stranded'] as const) {
      expect(stakeOf(state(phase), KEPT), phase).toEqual({
        updates: 1,
        imitated: null,
        isLive: true,
        isUnkept: false,
        keptUpdate: null,
      });
      expect(stakeOf(state(phase), NOT_YET_KEPT), phase).toMatchObject({ updates: 1, isLive: true, isUnkept: true });
    }
  });

  test('is a run that is over only while it is not kept', () => {
    for (const phase of ['finished', 'failed'] as const) {
      expect(stakeOf(state(phase), KEPT), phase).toBeNull();
      expect(stakeOf(state(phase), NOT_YET_KEPT)).toMatchObject({ updates: 1, isLive: false, isUnkept: true });
      expect(stakeOf(state(phase), { shown: 1, problem: 'No room.' })?.isUnkept).toBe(true);
    }
  });

  test('is nothing where a run rests and its policies are kept as they are, and the updates since while it runs', () => {
    const at = (phase: 'running' | 'paused', keptUpdate: number) => ({ ...state(phase), keptUpdate });
    expect(stakeOf(at('paused', 1), KEPT)).toBeNull();
    expect(stakeOf(at('paused', 0), KEPT)).toMatchObject({ keptUpdate: 0 });
    expect(stakeOf(at('running', 1), KEPT)).toMatchObject({ keptUpdate: 1 });
    expect(stakeOf(at('paused', 1), NOT_YET_KEPT)).toMatchObject({ isUnkept: true });
  });

  test('is the imitation of a run that has not trained yet, while it can go on', () => {
    const imitates = { ...state('preparing', null), imitation: { done: 20, total: 300, losses: [] } };
    expect(stakeOf(imitates, NOT_YET_KEPT)).toMatchObject({ updates: 0, imitated: 20, isLive: true });
    expect(stakeOf({ ...imitates, imitation: { done: 0, total: 300, losses: [] } }, NOT_YET_KEPT)).toBeNull();
    expect(stakeOf({ ...imitates, phase: 'failed' }, NOT_YET_KEPT)).toBeNull();
  });

  test('is nothing before the first update, without a run, and of a run that was kept before', () => {
    expect(stakeOf(state('running', null), NOT_YET_KEPT)).toBeNull();
    expect(stakeOf(state('running', new MetricHistory(1, 1)), NOT_YET_KEPT)).toBeNull();
    expect(stakeOf({ ...state('idle'), running: null }, NOT_YET_KEPT)).toBeNull();
    expect(stakeOf(state('restored'), KEPT)).toBeNull();
  });
});

test('another link waits until the person agrees, and may never be opened', async () => {
  const { lab, worker } = trained();
  const opened = vi.fn((open: () => void) => open());
  lab.follow(`${TINY}&seeds=3`, opened);
  expect(lab.leaving.store.getState().asked).toMatchObject({ why: expect.stringContaining('link') });
  expect(lab.store.getState()).toMatchObject({ phase: 'running', running: expect.anything() });
  lab.leaving.answer(false);
  expect(opened).not.toHaveBeenCalled();
  expect(lab.store.getState().phase).toBe('running');
  lab.follow(`${TINY}&seeds=3`, opened);
  lab.leaving.answer(true);
  // It rests, and nothing of it is kept here.
  expect(worker.latest.commands.at(-1)).toEqual({ type: 'pause' });
  expect(lab.leaving.store.getState()).toMatchObject({ isSaving: true });
  await vi.advanceTimersByTimeAsync(5000);
  expect(lab.store.getState()).toMatchObject({ phase: 'idle', running: null, edited: { seeds: 3 } });
  expect(lab.leaving.store.getState().asked).toBeNull();
  lab.follow(`${TINY}&seeds=2`);
  expect(lab.store.getState().edited.seeds).toBe(2);
});

test('a run that still imitates asks too, and ends at once: nothing of it can be kept', () => {
  const { lab, worker } = runningLab(TINY);
  worker.latest.enter('preparing');
  worker.latest.say({ type: 'imitation', done: 20, total: 300, loss: [1], episodes: [] });
  lab.follow(`${TINY}&seeds=3`);
  expect(lab.leaving.store.getState().asked?.stake).toMatchObject({ updates: 0, imitated: 20 });
  lab.leaving.answer(true);
  expect(lab.store.getState()).toMatchObject({ phase: 'idle', edited: { seeds: 3 } });
});

test('the link of the run on screen changes nothing: Back leads to it', () => {
  const { lab } = trained();
  lab.follow(TINY);
  expect(lab.leaving.store.getState().asked).toBeNull();
  expect(lab.store.getState()).toMatchObject({ phase: 'running', update: 1 });
});

test('the browser is asked to ask while something would be lost, and only then', async () => {
  const listening = new Set<unknown>();
  vi.stubGlobal('addEventListener', (type: string, listener: unknown) => {
    if (type === 'beforeunload') listening.add(listener);
  });
  vi.stubGlobal('removeEventListener', (_: string, listener: unknown) => listening.delete(listener));
  const { lab, worker } = trained();
  const [ask] = listening as Set<(event: { preventDefault(): void }) => void>;
  const preventDefault = vi.fn();
  ask?.({ preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
  // The newest state is kept meanwhile.
  expect(worker.latest.commands.at(-1)).toEqual({ type: 'keep' });
  lab.editor.reset('values');
  expect(listening.size).toBe(0);
  vi.unstubAllGlobals();
});
