/** Duplicating an arm of a run that changed on the way: the row shows it as it is now, and a restart treats both alike. */
import { beforeEach, expect, test, vi } from 'vitest';
import { type ArmSettingPath, getArmSetting } from '../../src/experiment/experiment';
import { effectiveArms } from '../../src/experiment/timeline';
import { openLab } from '../../src/store/openLab';
import { duplicateArm, setInArm } from '../../src/ui/model/arms/edits';
import { workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

const CHANGES = '20:world-model:ce.observation:1;100:*:learningRate:0.02;150:world-model:entropyCoefficient:0.07';
const PATHS: readonly ArmSettingPath[] = ['ce.observation', 'learningRate', 'entropyCoefficient', 'clipHigh'];

function trained() {
  const worker = workers();
  const lab = openLab(`#preset=gridworld-tiny&updates=200&changes=${CHANGES}`, worker.start);
  lab.editor.run();
  worker.latest.enter('running');
  const { arms, seeds } = lab.store.getState().edited;
  let done = 0;
  const train = (updates: number) => {
    worker.latest.measure(done, updates, arms.length * seeds);
    done += updates;
  };
  const duplicate = () => {
    const before = lab.store.getState().edited;
    lab.editor.edit(duplicateArm(before, 'world-model'), 'world-model');
    return lab.store.getState().edited.arms.find(({ id }) => before.arms.every((arm) => arm.id !== id))?.id ?? '';
  };
  const settings = (id: string, update?: number) => {
    const { edited } = lab.store.getState();
    const arms = update === undefined ? edited.arms : effectiveArms(edited, update);
    const arm = arms.find((one) => one.id === id);
    return arm && PATHS.map((path) => getArmSetting(arm, path));
  };
  return { lab, train, duplicate, settings };
}

test('shows the copy as its original is now, also when a planned change acts later', () => {
  const { train, duplicate, settings } = trained();
  train(120);
  const copy = duplicate();
  expect(settings(copy)).toEqual(settings('world-model'));
  expect(settings(copy)?.slice(0, 2)).toEqual([1, 0.02]);
  train(40);
  expect(settings(copy)?.[2]).toBe(0.07);
  expect(settings(copy)).toEqual(settings('world-model'));
});

test('a restart trains copy and original alike at every update, with planned and live changes', () => {
  const { lab, train, duplicate, settings } = trained();
  train(110);
  lab.editor.edit(setInArm(lab.store.getState().edited, 'world-model', 'clipHigh', 0.31));
  const copy = duplicate();
  train(60);
  lab.editor.begin(true);
  expect(settings('world-model')).toEqual([0.1, 0.001, expect.anything(), 0.31]);
  for (const update of [0, 19, 20, 99, 100, 150, 199])
    expect(settings(copy, update)).toEqual(settings('world-model', update));
});

test('what is changed in the copy stays changed', () => {
  const { lab, train, duplicate, settings } = trained();
  train(120);
  const copy = duplicate();
  lab.editor.edit(setInArm(lab.store.getState().edited, copy, 'learningRate', 0.005));
  lab.editor.begin(true);
  expect(settings(copy, 0)?.[1]).toBe(0.005);
  expect(settings('world-model', 0)?.[1]).toBe(0.001);
});
