/** Changes of a run as things: moved, changed, taken away and planned, before a run, in it and for the next; and branches. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Change } from '../../src/experiment/experiment';
import { METRICS } from '../../src/rl/measure/metrics';
import { WARM_START_METRICS } from '../../src/rl/measure/warmStartReadings';
import { Interventions, marked } from '../../src/store/edit/interventions';
import { changesMade, restartOf } from '../../src/store/edit/restart';
import { pendingDifferences } from '../../src/store/lab';
import { openLab } from '../../src/store/openLab';
import { followRecordings } from '../../src/store/recorded/recorded';
import { setInArm } from '../../src/ui/model/arms/edits';
import type { ScriptedWorker } from './scriptedWorker';
import { workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

const SETTLE = 200;

function opened(changes = '') {
  const worker = workers();
  const lab = openLab(`#preset=gridworld-tiny&updates=200${changes === '' ? '' : `&changes=${changes}`}`, worker.start);
  const interventions = new Interventions(lab);
  let done = 0;
  const train = (updates: number) => {
    const { arms, seeds } = lab.store.getState().running ?? lab.store.getState().edited;
    const members = arms.length * seeds;
    const values = new Float32Array(updates * members * METRICS.length).fill(done + 1);
    worker.latest.measure(done, updates, members, values);
    done += updates;
  };
  /** A live change, as the page and then the trainer makes it. */
  const change = (path: 'ce.observation' | 'learningRate', value: number) => {
    lab.editor.edit(setInArm(lab.store.getState().edited, 'world-model', path, value));
    vi.advanceTimersByTime(SETTLE);
    const made = { update: done, arm: 'world-model', setting: path, value };
    worker.latest.say({ type: 'changed', changes: [made] });
  };
  const begin = () => {
    lab.editor.run();
    worker.latest.enter('running');
  };
  const shown = () => marked(lab.store.getState()).timeline;
  return { lab, interventions, worker, train, change, begin, shown };
}

const sent = <T extends ScriptedWorker['commands'][number]['type']>({ commands }: ScriptedWorker, type: T) =>
  commands.filter(
    (command): command is Extract<ScriptedWorker['commands'][number], { type: T }> => command.type === type,
  );

describe('before a run', () => {
  test('a planned change is moved, changed and taken away at once', () => {
    const { lab, interventions, shown } = opened('20:world-model:ce.observation:1');
    const [first] = shown() as [Change];
    interventions.edit(first, { ...first, update: 30 });
    interventions.edit(shown()[0] as Change, { ...first, update: 30, value: 0.5 });
    expect(lab.store.getState().edited.timeline).toEqual([{ ...first, update: 30, value: 0.5 }]);
    interventions.edit(shown()[0] as Change, null);
    expect(lab.store.getState().edited.timeline).toEqual([]);
  });
});

describe('in a run', () => {
  test('a change that has acted is edited for the next run, which the restart bar offers', () => {
    const { lab, interventions, worker, train, change, begin, shown } = opened();
    begin();
    train(50);
    change('ce.observation', 0.5);
    train(50);
    expect(pendingDifferences(lab.store.getState())).toEqual([]);
    const [made] = shown() as [Change];
    interventions.edit(made, { ...made, update: 20 });
    const state = lab.store.getState();
    expect(state.running?.timeline).toEqual([made]);
    expect(pendingDifferences(state)).toMatchObject([{ path: 'timeline' }]);
    expect(changesMade(state)).toBe(0);
    expect(sent(worker.latest, 'plan')).toEqual([]);
    // The next run begins where this one began, and has the change where it was moved to.
    const next = restartOf(state);
    expect(next.timeline).toEqual([{ ...made, update: 20 }]);
    expect(next.arms).toEqual(state.running?.arms);
    lab.editor.begin(true);
    expect(lab.store.getState().running).toMatchObject({ timeline: [{ update: 20, value: 0.5 }] });
    expect(lab.store.getState().marks).toBe(null);
  });

  test('a change that is taken away never acts in the next run; what was not edited stays as it is', () => {
    const { lab, interventions, train, change, begin, shown } = opened();
    begin();
    train(50);
    change('ce.observation', 0.5);
    train(10);
    change('learningRate', 0.02);
    train(10);
    interventions.edit(shown()[0] as Change, null);
    const next = restartOf(lab.store.getState());
    expect(next.timeline).toMatchObject([{ setting: 'learningRate', update: 60 }]);
    expect(next.arms).toEqual(lab.store.getState().running?.arms);
  });

  test('a live change made since joins the edited ones', () => {
    const { interventions, train, change, begin, shown } = opened();
    begin();
    train(50);
    change('ce.observation', 0.5);
    train(10);
    const [made] = shown() as [Change];
    interventions.edit(made, { ...made, value: 0.7 });
    change('learningRate', 0.02);
    expect(shown()).toMatchObject([{ value: 0.7 }, { setting: 'learningRate', value: 0.02 }]);
  });

  test('keeping the run forgets the edits', () => {
    const { lab, interventions, train, change, begin, shown } = opened();
    begin();
    train(50);
    change('ce.observation', 0.5);
    train(10);
    interventions.edit(shown()[0] as Change, null);
    lab.editor.keepCurrentRun();
    expect(shown()).toMatchObject([{ update: 50 }]);
    expect(pendingDifferences(lab.store.getState())).toEqual([]);
    expect(changesMade(lab.store.getState())).toBe(1);
  });

  test('a change still to act is edited in the run, and a restart keeps it as planned', () => {
    const { lab, interventions, worker, train, begin, shown } = opened('150:world-model:ce.observation:1');
    begin();
    train(50);
    const [planned] = shown() as [Change];
    interventions.edit(planned, { ...planned, update: 120 });
    interventions.edit(null, { update: 100, arm: '*', setting: 'learningRate', value: 0.02 });
    expect(
      sent(worker.latest, 'plan')
        .at(-1)
        ?.changes.map(({ update }) => update),
    ).toEqual([100, 120]);
    expect(pendingDifferences(lab.store.getState())).toEqual([]);
    // The trainer answers both, the first when the second was asked for already.
    worker.latest.say({ type: 'planned', from: 51, timeline: [{ ...planned, update: 120 }] });
    expect(shown()).toHaveLength(2);
    const timeline = [...shown()];
    worker.latest.say({ type: 'planned', from: 51, timeline });
    expect(lab.store.getState().running?.timeline).toEqual(timeline);
    expect(changesMade(lab.store.getState())).toBe(0);
    train(60);
    expect(lab.store.getState().told[1]?.learningRate).toBe(0.02);
    train(20);
    expect(lab.store.getState().told[1]?.ce.observation).toBe(1);
    expect(restartOf(lab.store.getState()).timeline).toEqual(timeline);
  });

  test('a value that no setting can have is refused, and nothing changes', () => {
    const { lab, interventions, train, begin, shown } = opened('150:world-model:ce.observation:1');
    begin();
    train(10);
    const [planned] = shown() as [Change];
    interventions.edit(planned, { ...planned, value: 1000 });
    expect(shown()).toEqual([planned]);
    expect(lab.store.getState().notice?.kind).toBe('refused');
  });
});

describe('a branch', () => {
  const CHOICE = { parent: 'world-model', setting: 'ce.observation', value: 0.7, name: 'World model, λ 0.7' };

  test('pauses the run, has its trainer go on with one arm more, and keeps what was measured', async () => {
    const { lab, interventions, worker, train, change, begin } = opened();
    begin();
    train(50);
    change('learningRate', 0.02);
    // A number a member: two seeds of three arms.
    const row = (value: number) => WARM_START_METRICS.map(() => value);
    const rows = [0, 1, 2, 3, 4, 5].map(row);
    worker.latest.say({ type: 'warm-start', reading: { step: 0, members: rows } });
    const branching = interventions.branch({ ...CHOICE, update: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(worker.latest.commands.at(-1)).toEqual({ type: 'pause' });
    train(1);
    worker.latest.enter('paused', 51);
    await branching;
    const [command] = sent(worker.latest, 'branch');
    expect(worker.count).toBe(1);
    expect(command).toMatchObject({ trains: true, from: { parent: 'world-model', update: 51 } });
    expect(command?.experiment.timeline).toMatchObject([
      { update: 50, arm: 'world-model', setting: 'learningRate' },
      { update: 50, setting: 'learningRate' },
      { update: 51, setting: 'ce.observation', value: 0.7 },
    ]);
    expect(command?.from.seconds).toHaveLength(51);
    const { running, phase, warmStart } = lab.store.getState();
    expect(warmStart).toEqual([{ step: 0, members: [0, 1, 2, 3, 2, 3, 4, 5].map(row) }]);
    expect(running?.arms.map(({ name }) => name)).toEqual([
      'Action mask',
      'World model',
      'World model, λ 0.7',
      'No mask',
    ]);
    expect(phase).toBe('preparing');
    const members = (running?.arms.length ?? 0) * (running?.seeds ?? 0);
    const values = new Float32Array(51 * members * METRICS.length).fill(3);
    const timeline = command?.experiment.timeline ?? [];
    const told = { isKept: false, update: 51, updates: 200, timeline, machines: [], members, values };
    worker.latest.say({ type: 'resumed', ...told, seconds: new Float32Array(51) });
    const after = lab.store.getState();
    expect([after.update, after.history?.count, after.history?.arms, after.keptUpdate]).toEqual([51, 51, 4, null]);
    expect(after.edited.arms.find(({ name }) => name === CHOICE.name)?.ce.observation).toBe(0.7);
    expect(pendingDifferences(after)).toEqual([]);
  });

  test('from an earlier update has the curves so far behind those to come, until nothing branches', async () => {
    const { lab, interventions, worker, train, begin } = opened();
    followRecordings(lab.store);
    begin();
    train(50);
    worker.latest.enter('paused', 50);
    await interventions.branch({ ...CHOICE, update: 40 });
    await vi.advanceTimersByTimeAsync(0);
    const { ghost } = lab.store.getState();
    expect(ghost?.label).toBe('before the branch');
    expect(ghost?.arms).toHaveLength(3);
    lab.follow('#preset=gridworld-tiny&seeds=2', (open) => open());
    lab.leaving.answer(true);
    await vi.waitFor(() => expect(lab.store.getState().ghost?.label).not.toBe('before the branch'));
  });

  test('waits for a live change that the trainer has not taken yet', async () => {
    const { lab, interventions, worker, train, begin } = opened();
    begin();
    train(50);
    worker.latest.enter('paused', 50);
    lab.editor.edit(setInArm(lab.store.getState().edited, 'world-model', 'learningRate', 0.02));
    const branching = interventions.branch({ ...CHOICE, update: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(sent(worker.latest, 'branch')).toEqual([]);
    worker.latest.say({
      type: 'changed',
      changes: [{ update: 50, arm: 'world-model', setting: 'learningRate', value: 0.02 }],
    });
    await branching;
    expect(sent(worker.latest, 'branch')[0]?.experiment.timeline).toHaveLength(3);
  });

  test('is refused while edits wait for a restart', async () => {
    const { lab, interventions, worker, train, begin } = opened();
    begin();
    train(50);
    worker.latest.enter('paused', 50);
    lab.editor.edit({ ...lab.store.getState().edited, seeds: 3 });
    vi.advanceTimersByTime(SETTLE);
    await interventions.branch({ ...CHOICE, update: null });
    expect(sent(worker.latest, 'branch')).toEqual([]);
    expect(lab.store.getState().notice?.text).toMatch(/wait for a restart/);
  });

  test('moves with its parent where a change of both is moved', async () => {
    const { interventions, shown } = opened('20:world-model:learningRate:0.02');
    await interventions.branch({ ...CHOICE, update: 40 });
    const [first] = shown() as [Change];
    interventions.edit(first, { ...first, update: 25 });
    expect(shown().map(({ update, setting }) => `${update} ${setting}`)).toEqual([
      '25 learningRate',
      '25 learningRate',
      '40 ce.observation',
    ]);
    interventions.edit(shown()[0] as Change, null);
    expect(shown()).toMatchObject([{ update: 40 }]);
  });

  test('before a run is an arm with a planned change', async () => {
    const { lab, interventions } = opened();
    await interventions.branch({ ...CHOICE, update: 40 });
    const { edited } = lab.store.getState();
    expect(edited.arms).toHaveLength(4);
    expect(edited.timeline).toMatchObject([{ update: 40, setting: 'ce.observation', value: 0.7 }]);
  });
});
