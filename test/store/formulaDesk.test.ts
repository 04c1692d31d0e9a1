// Users' losses on their way into a run: what Apply tells the trainer, what it refuses, and the way back.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { judge } from '../../src/store/desk/lossJudgement';
import { pendingDifferences } from '../../src/store/lab';
import { duplicateArm } from '../../src/ui/model/arms/edits';
import { runningLab } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

function running() {
  const { lab, worker } = runningLab('#preset=gridworld');
  /** Changes told since the last time. */
  let before = 0;
  const told = () => {
    vi.advanceTimersByTime(1000);
    const all = worker.latest.commands.flatMap((command) => (command.type === 'change' ? command.changes : []));
    const added = all.slice(before);
    before = all.length;
    return added;
  };
  const losses = (id = 'world-model') => lab.store.getState().edited.arms.find((arm) => arm.id === id)?.losses;
  const judged = () => {
    const { draft } = lab.desk.store.getState();
    if (draft === null) throw new Error('The desk is closed.');
    return judge(lab.store.getState().edited, draft);
  };
  return { lab, desk: lab.desk, told, losses, judged };
}

const TEXT = 'param weight = 0.1 in [0, 1]\nloss = -weight * logp';

test('a new loss begins with what the arm has, and acts as changes of the run', () => {
  const { lab, desk, told } = running();
  desk.open('world-model');
  expect(desk.store.getState().draft).toMatchObject({ was: null, loss: { name: 'mine', place: 'policy' } });
  expect(desk.store.getState().draft?.loss.text).toContain('min(ratio * A, clip(ratio, 1 - low, 1 + high) * A)');
  desk.change({ text: TEXT, place: 'added' });
  desk.apply();
  expect(told()).toEqual([
    { arm: 'world-model', setting: 'loss.mine.text', value: TEXT },
    { arm: 'world-model', setting: 'loss.mine.place', value: 'added' },
    { arm: 'world-model', setting: 'loss.mine.on.observation', value: 0.1 },
  ]);
  const state = lab.store.getState();
  expect(state.told).toEqual(state.edited.arms);
  expect(pendingDifferences(state)).toEqual([]);
});

test('numbers of an applied loss act at once, others with Apply', () => {
  const { desk, told, losses } = running();
  desk.open('world-model');
  desk.change({ text: TEXT, place: 'added' });
  desk.setNumber('loss.mine.weight', 0.3);
  expect(told()).toEqual([]);
  desk.apply();
  expect(told()).toContainEqual({ arm: 'world-model', setting: 'loss.mine.weight', value: 0.3 });
  desk.setNumber('loss.mine.weight', 0.4);
  desk.setNumber('loss.mine.on.action', 0.5);
  expect(told()).toEqual([
    { arm: 'world-model', setting: 'loss.mine.on.action', value: 0.5 },
    { arm: 'world-model', setting: 'loss.mine.weight', value: 0.4 },
  ]);
  // Wider limits of a text that is not applied yet: its value waits.
  desk.change({ text: TEXT.replace('[0, 1]', '[0, 9]') });
  desk.setNumber('loss.mine.weight', 5);
  expect(losses()?.[0]?.values).toEqual({ weight: 0.4 });
  desk.apply();
  expect(losses()?.[0]?.values).toEqual({ weight: 5 });
});

test('another text keeps the values that it has a parameter for', () => {
  const { desk, told, losses } = running();
  desk.open('world-model');
  desk.change({ text: TEXT, place: 'added' });
  desk.setNumber('loss.mine.weight', 0.3);
  desk.apply();
  told();
  desk.change({ text: `${TEXT} * 2` });
  desk.apply();
  expect(losses()?.[0]?.values).toEqual({ weight: 0.3 });
  expect(told()).toEqual([{ arm: 'world-model', setting: 'loss.mine.text', value: `${TEXT} * 2` }]);
});

describe('what cannot be applied says why, and changes nothing', () => {
  test.each([
    ['loss = -A * logprob', 'line 1', {}],
    ['', 'line 1', {}],
    [TEXT, 'name', { name: '' }],
    [`param text = 1 in [0, 2]\nloss = text`, 'cannot be called text', {}],
  ])('%j', (text, why, more) => {
    const { desk, losses, judged } = running();
    desk.open('world-model');
    desk.change({ text, ...more });
    expect(judged().problems.join(' ')).toContain(why);
    desk.apply();
    expect(losses()).toEqual([]);
  });

  // The desk's buttons and keys are held by what is said.
  test.each([
    ['loss = A * detach(logp)', 'no gradient'],
    ['gap = logp / 0\nloss = gap * A', 'never finite: line 1 has “logp / 0”'],
  ])('%j teaches nothing', (text, why) => {
    const { desk, judged } = running();
    desk.open('world-model');
    desk.change({ text });
    expect(judged().problems.join(' ')).toContain(why);
  });

  test('two losses for one place', () => {
    const { desk, judged } = running();
    desk.open('world-model');
    desk.apply();
    desk.open('world-model');
    desk.change({ place: 'policy', name: 'other' });
    expect(judged().problems.join(' ')).toContain('Two losses stand for the policy loss');
    desk.change({ place: 'added', name: 'mine' });
    expect(judged().problems.join(' ')).toContain('this name');
  });
});

test('what is left by Escape is there again for the same loss, and what is closed is not', () => {
  const { desk } = running();
  desk.open('world-model');
  const { text } = desk.store.getState().draft?.loss ?? {};
  desk.change({ text: 'loss = -logp' });
  desk.leave();
  expect(desk.store.getState().draft).toBeNull();
  desk.open('action-mask');
  expect(desk.store.getState().draft?.arm).toBe('action-mask');
  desk.change({ text: 'loss = logp' });
  desk.leave();
  desk.open('world-model');
  expect(desk.store.getState().draft?.loss.text).toBe('loss = -logp');
  desk.close();
  desk.open('world-model');
  expect(desk.store.getState().draft?.loss.text).toBe(text);
});

test('Apply and Remove are taken back, and another name takes the old one’s place', () => {
  const { desk, losses, told } = running();
  const names = () => losses()?.map(({ name }) => name);
  desk.open('world-model');
  desk.apply();
  desk.change({ name: 'renamed' });
  desk.apply();
  expect(names()).toEqual(['renamed']);
  told();
  desk.remove('world-model', 'renamed');
  expect(names()).toEqual([]);
  expect(desk.store.getState().draft).toBeNull();
  expect(told()).toEqual([{ arm: 'world-model', setting: 'loss.renamed.text', value: '' }]);
  desk.undo();
  expect(names()).toEqual(['renamed']);
  desk.undo();
  expect(names()).toEqual(['mine']);
  desk.undo();
  expect(names()).toEqual([]);
});

test('a copy of the arm gets the loss, and the original stays as it was', () => {
  const { lab, desk, losses } = running();
  desk.open('world-model');
  desk.change({ text: TEXT, place: 'added' });
  const { edited } = lab.store.getState();
  const next = duplicateArm(edited, 'world-model');
  const [copy] = next.arms.filter(({ id }) => edited.arms.every((one) => one.id !== id));
  lab.editor.edit(next);
  desk.handTo(copy?.id ?? '');
  desk.apply();
  expect(losses(copy?.id)).toMatchObject([{ name: 'mine', text: TEXT }]);
  expect(losses('world-model')).toEqual([]);
});
