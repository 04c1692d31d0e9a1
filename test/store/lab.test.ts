// The stores without a browser: a run's life, live changes, restarts, crashes, links. The Worker is scripted.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { defaultPreset, firstPreset, presets } from '../../src/experiment/presets/presets';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { changesMade } from '../../src/store/edit/restart';
import { isLive, pendingDifferences } from '../../src/store/lab';
import { openLab } from '../../src/store/openLab';
import { runningLab, workers } from './scriptedWorker';

const preset = firstPreset.experiment;
const LINK = '#preset=gridworld';

const withLearningRate = (experiment: Experiment, id: string, learningRate: number): Experiment => ({
  ...experiment,
  arms: experiment.arms.map((arm) => (arm.id === id || id === '*' ? { ...arm, learningRate } : arm)),
});

const running = (fragment = LINK) => runningLab(fragment);

beforeEach(() => {
  vi.useFakeTimers();
});

describe('a run', () => {
  test('starts with the experiment on screen and the chosen backend', () => {
    const worker = workers();
    const lab = openLab(LINK, worker.start);
    lab.preferences.setState({ backend: 'cpu' });
    lab.editor.run();
    const [probe, again, start] = worker.latest.commands;
    // A preset that was recorded on the plain CPU.
    expect(probe).toEqual({ type: 'probe', backend: 'auto-plain', members: 12 });
    expect(again).toEqual({ type: 'probe', backend: 'cpu', members: 12 });
    expect(start).toMatchObject({ type: 'start', experiment: preset, backend: 'cpu', trains: true, files: [] });
    expect(lab.store.getState().phase).toBe('preparing');
  });

  test('does not start while the experiment is invalid, and says why', () => {
    const worker = workers();
    const lab = openLab(LINK, worker.start);
    lab.editor.edit({ ...preset, policy: { ...preset.policy, width: 48, heads: 16 } });
    lab.editor.run();
    expect(worker.latest.commands.map(({ type }) => type)).toEqual(['probe']);
    expect(lab.store.getState().problems.map(({ path }) => path)).toEqual(['policy.heads']);
  });

  test('keeps measurements by update, member and metric', () => {
    const { lab, worker } = running();
    const members = preset.arms.length * preset.seeds;
    const values = new Float32Array(2 * members * METRICS.length).fill(Number.NaN);
    values[(members + 5) * METRICS.length + METRIC.successRate] = 0.25;
    worker.latest.measure(0, 2, members, values);
    const { history, update } = lab.store.getState();
    expect(update).toBe(2);
    expect(history?.at(1, 1, 1, 'successRate')).toBe(0.25);
    expect(history?.at(0, 1, 1, 'successRate')).toBeNaN();
  });

  test('shows new measurements at most four times a second', () => {
    const { lab, worker } = running();
    vi.advanceTimersByTime(1000);
    const before = lab.store.getState().tick;
    for (let i = 0; i < 50; i++) {
      worker.latest.enter('running', i);
      vi.advanceTimersByTime(20);
    }
    vi.advanceTimersByTime(250);
    expect(lab.store.getState().tick - before).toBeLessThanOrEqual(5);
    expect(lab.store.getState().tick).toBeGreaterThan(before);
  });

  test('whose Workers crash one after the other is a failure that keeps the curves, and the next one gets a fresh Worker', () => {
    const { lab, worker } = running();
    for (let i = 0; i < 3; i++) worker.latest.crash('out of memory');
    const crashed = worker.latest;
    crashed.crash('out of memory');
    const { phase, failure, history } = lab.store.getState();
    expect(phase).toBe('failed');
    expect(failure?.what).toMatch(/out of memory/);
    expect(history).not.toBeNull();
    expect(crashed.terminated).toBe(true);
    const before = worker.count;
    lab.editor.run();
    expect(worker.count).toBe(before + 1);
    expect(lab.store.getState().failure).toBeNull();
    worker.latest.crash('');
    expect(lab.store.getState().failure).toMatchObject({
      what: expect.stringContaining('code did not arrive'),
      advice: expect.stringContaining('reload the page'),
    });
  });
});

describe('a change while training', () => {
  test('is sent once, when the control has settled, and reaches the timeline when the trainer confirms it', () => {
    const { lab, worker } = running();
    for (const rate of [0.002, 0.003, 0.004]) {
      lab.editor.edit(withLearningRate(lab.store.getState().edited, 'world-model', rate));
      vi.advanceTimersByTime(100);
    }
    expect(worker.latest.commands.filter(({ type }) => type === 'change')).toEqual([]);
    vi.advanceTimersByTime(200);
    const changes = [{ arm: 'world-model', setting: 'learningRate', value: 0.004 }];
    expect(worker.latest.commands.filter(({ type }) => type === 'change')).toEqual([{ type: 'change', changes }]);
    worker.latest.say({ type: 'changed', changes: changes.map((change) => ({ ...change, update: 7 })) });
    vi.advanceTimersByTime(1000);
    expect(lab.editor.shared().timeline).toEqual([{ ...changes[0], update: 7 }]);
    expect(lab.editor.shared().arms).toEqual(preset.arms);
    expect(worker.latest.commands.filter(({ type }) => type === 'change')).toHaveLength(1);
  });

  test('of every arm to the same value is one change', () => {
    const { lab, worker } = running();
    lab.editor.edit(withLearningRate(lab.store.getState().edited, '*', 0.005));
    vi.advanceTimersByTime(200);
    expect(worker.latest.commands.at(-1)).toEqual({
      type: 'change',
      changes: [{ arm: '*', setting: 'learningRate', value: 0.005 }],
    });
  });

  test('that the trainer refuses is taken back on screen, and training goes on', () => {
    const { lab, worker } = running();
    lab.editor.edit(withLearningRate(lab.store.getState().edited, 'no-mask', 0.5));
    vi.advanceTimersByTime(200);
    worker.latest.say({ type: 'error', code: 'limits', message: 'Too many. Do less.', advice: 'Do less.' });
    expect(lab.store.getState().edited.arms).toEqual(preset.arms);
    expect(lab.store.getState().notice).toEqual({ kind: 'refused', text: 'Too many.', advice: 'Do less.' });
    expect(lab.store.getState().phase).toBe('running');
  });

  test('that came with a link moves the controls when it acts', () => {
    const { lab, worker } = running('#preset=gridworld&changes=3:*:learningRate:0.01');
    const rates = () => lab.store.getState().edited.arms.map(({ learningRate }) => learningRate);
    expect(rates()).toEqual([0.001, 0.001, 0.001]);
    worker.latest.measure(0, 3, 12);
    expect(rates()).toEqual([0.01, 0.01, 0.01]);
    vi.advanceTimersByTime(1000);
    expect(worker.latest.commands.map(({ type }) => type)).not.toContain('change');
  });

  test('of all arms reaches an arm that a restart would remove, so that keeping the run keeps them alike', () => {
    const { lab, worker } = running();
    const { edited } = lab.store.getState();
    lab.editor.edit({ ...edited, arms: edited.arms.slice(0, 2) });
    lab.editor.editArms('learningRate', 0.004, () => true);
    lab.editor.editArms('learningRate', 0.005, () => true);
    vi.advanceTimersByTime(200);
    expect(worker.latest.commands.filter(({ type }) => type === 'change')).toEqual([
      { type: 'change', changes: [{ arm: '*', setting: 'learningRate', value: 0.005 }] },
    ]);
    expect(lab.store.getState().edited.arms).toHaveLength(2);
    lab.editor.keepCurrentRun();
    expect(lab.store.getState().edited.arms.map(({ learningRate }) => learningRate)).toEqual([0.005, 0.005, 0.005]);
  });

  test('of one arm leaves an arm that a restart would remove alone', () => {
    const { lab, worker } = running();
    const { edited } = lab.store.getState();
    lab.editor.edit({ ...edited, arms: edited.arms.slice(0, 2) });
    lab.editor.edit(withLearningRate(lab.store.getState().edited, 'world-model', 0.004));
    vi.advanceTimersByTime(200);
    expect(worker.latest.commands.at(-1)).toEqual({
      type: 'change',
      changes: [{ arm: 'world-model', setting: 'learningRate', value: 0.004 }],
    });
  });

  test('of the number of updates extends the run', () => {
    const { lab, worker } = running();
    lab.editor.edit({ ...lab.store.getState().edited, updates: 500 });
    vi.advanceTimersByTime(200);
    expect(worker.latest.commands.at(-1)).toEqual({ type: 'updates', updates: 500 });
    expect(pendingDifferences(lab.store.getState())).toEqual([]);
  });
});

describe('an edit that needs a restart', () => {
  test('waits, named, until the person chooses; keeping the run forgets it', () => {
    const { lab, worker } = running();
    lab.editor.edit({ ...preset, seeds: 8 });
    vi.advanceTimersByTime(1000);
    expect(worker.latest.commands.map(({ type }) => type)).toEqual(['probe', 'start', 'watch']);
    expect(pendingDifferences(lab.store.getState())).toMatchObject([{ path: 'seeds', from: 4, to: 8 }]);
    lab.editor.keepCurrentRun();
    expect(pendingDifferences(lab.store.getState())).toEqual([]);
  });

  test('starts anew from the values on screen when the person agrees', () => {
    const { lab, worker } = running();
    lab.editor.edit(withLearningRate(lab.store.getState().edited, '*', 0.002));
    vi.advanceTimersByTime(200);
    worker.latest.say({ type: 'changed', changes: [{ update: 4, arm: '*', setting: 'learningRate', value: 0.002 }] });
    lab.editor.edit({ ...lab.store.getState().edited, seeds: 2 });
    lab.editor.begin(true);
    const { running: experiment } = lab.store.getState();
    expect(experiment?.seeds).toBe(2);
    expect(experiment?.timeline).toEqual([]);
    expect(experiment?.arms.map(({ learningRate }) => learningRate)).toEqual([0.002, 0.002, 0.002]);
    expect(isLive(lab.store.getState())).toBe(true);
  });

  test('keeps the phases that were planned before the run, each setting from where it began', () => {
    const plan = '0:*:temperature:0.9;4:world-model:ce.observation:0.4;9:*:entropyCoefficient:0.02';
    const { lab, worker } = running(`#preset=gridworld&changes=${plan}`);
    const planned = lab.store.getState().edited.timeline;
    worker.latest.measure(0, 6, preset.arms.length * preset.seeds);
    expect(lab.store.getState().edited.arms[1]?.ce.observation).toBe(0.4);
    lab.editor.edit(withLearningRate(lab.store.getState().edited, '*', 0.002));
    vi.advanceTimersByTime(200);
    worker.latest.say({ type: 'changed', changes: [{ update: 6, arm: '*', setting: 'learningRate', value: 0.002 }] });
    expect(changesMade(lab.store.getState())).toBe(1);
    lab.editor.edit({ ...lab.store.getState().edited, seeds: 2 });
    lab.editor.begin(true);
    const { running: again } = lab.store.getState();
    expect(again?.timeline).toEqual(planned);
    expect(again?.arms.map(({ ce }) => ce.observation)).toEqual(preset.arms.map(({ ce }) => ce.observation));
    expect(again?.arms.map(({ temperature }) => temperature)).toEqual([1, 1, 1]);
    expect(again?.arms.map(({ learningRate }) => learningRate)).toEqual([0.002, 0.002, 0.002]);
    lab.editor.reset('values');
    expect(lab.store.getState().edited).toEqual(again);
  });

  test('to another preset takes that preset’s own timeline and values', () => {
    const { lab } = running('#preset=gridworld&changes=4:*:entropyCoefficient:0.02');
    const timeline = [{ update: 2, arm: '*', setting: 'learningRate', value: 0.004 }];
    lab.editor.replace({ ...preset, timeline }, null);
    lab.editor.begin(true);
    expect(lab.store.getState().running).toEqual({ ...preset, timeline });
  });

  test('a reset can also replay what was changed', () => {
    const { lab, worker } = running();
    const change = { update: 4, arm: '*', setting: 'learningRate', value: 0.002 };
    worker.latest.say({ type: 'changed', changes: [change] });
    lab.editor.reset('timeline');
    expect(lab.store.getState().phase).toBe('idle');
    expect(lab.store.getState().edited.timeline).toEqual([change]);
  });

  test('renaming an arm is none', () => {
    const { lab } = running();
    const { edited } = lab.store.getState();
    lab.editor.edit({ ...edited, arms: edited.arms.map((arm) => ({ ...arm, name: `${arm.name}!` })) });
    expect(pendingDifferences(lab.store.getState())).toEqual([]);
    expect(lab.store.getState().running?.arms[0]?.name).toBe('Action mask!');
  });
});

describe('arriving', () => {
  test('by a link shows its experiment and says so; the link stays true until something is edited', () => {
    const lab = openLab('#preset=gridworld&seeds=2', workers().start);
    expect(lab.store.getState().edited.seeds).toBe(2);
    expect(lab.store.getState().notice?.kind).toBe('link');
    expect(lab.isFromLink()).toBe(true);
    lab.editor.run();
    expect(lab.isFromLink()).toBe(true);
    lab.editor.edit({ ...lab.store.getState().edited, title: 'Mine' });
    expect(lab.isFromLink()).toBe(false);
  });

  test.each(['#preset=nowhere', '#v=9', '#preset=gridworld&seeds=1e9', '#%E0%A4%A', '#__proto__.x=1'])(
    'by %s leaves a working lab and a message that ends in advice',
    (fragment) => {
      const lab = openLab(fragment, workers().start);
      expect(lab.store.getState().notice?.kind).toBe('broken-link');
      expect(lab.store.getState().notice?.advice).not.toBe('');
      expect(lab.store.getState().edited).toEqual(defaultPreset.experiment);
      expect(lab.store.getState().problems).toEqual([]);
    },
  );

  test('every preset is valid as it is offered', () => {
    const lab = openLab(LINK, workers().start);
    for (const { experiment } of presets) {
      lab.editor.replace(experiment, null);
      expect(lab.store.getState().problems).toEqual([]);
    }
  });
});
