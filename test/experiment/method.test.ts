/** An arm says how it learns, and that it was changed. */
import { expect, test } from 'vitest';
import type { Arm } from '../../src/experiment/experiment';
import { methodOf } from '../../src/experiment/objectives/method';
import { aboutArm, aboutObjective } from '../../src/experiment/objectives/objectiveAbout';
import { findObjective, objectivePresets, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { firstPreset } from '../../src/experiment/presets/presets';

const [arm] = firstPreset.experiment.arms as [Arm];
const learning = (id: 'dapo' | 'echo') => withObjective(arm, findObjective(id));

test('an arm is called by its objective, and tells in how many settings it differs from it', () => {
  expect(methodOf(learning('dapo'))).toBe('DAPO');
  expect(methodOf(learning('echo'))).toBe('ECHO');
  expect(methodOf({ ...learning('dapo'), clipHigh: 0.5 })).toBe('DAPO, 1 setting changed');
  expect(methodOf({ ...learning('dapo'), clipHigh: 0.5, clipLow: 0.1 })).toBe('DAPO, 2 settings changed');
  // Rewards, optimiser and sampling are no part of a method.
  expect(methodOf({ ...learning('dapo'), learningRate: 0.5 })).toBe('DAPO');
});

test('a formula in the place of a loss is one’s own; one beside it is a change; a fixed policy learns nothing', () => {
  const loss = { name: 'mine', text: 'loss = ratio', place: 'policy', on: arm.pg, values: {} } as const;
  expect(methodOf({ ...learning('dapo'), losses: [loss] })).toBe('your own loss');
  expect(methodOf({ ...learning('dapo'), losses: [{ ...loss, place: 'added' }] })).toBe('DAPO + own loss');
  expect(methodOf({ ...arm, fixedPolicy: 'ab'.repeat(32) })).toBe('');
});

test.each(objectivePresets)('the method of $id is short', (objective) => {
  expect(methodOf(withObjective(arm, objective)).length).toBeLessThanOrEqual(30);
});

test('words about an arm’s objective are true of it: the lab’s list of parts goes once they are changed', () => {
  const lab = withObjective(arm, findObjective('lab'));
  expect(aboutArm(lab)).toEqual(aboutObjective('lab'));
  // Imitation of successes alone: no clip, no advantage and no entropy are left.
  const rejection = { ...lab, pg: { ...lab.pg, action: 0 }, entropyCoefficient: 0, replay: 'cross-entropy' } as const;
  expect(aboutArm(rejection)).toMatchObject({ reason: '', caveat: '' });
  const dapo = learning('dapo');
  expect(aboutArm(dapo)).toEqual(aboutObjective('dapo'));
  expect(aboutArm({ ...dapo, clipHigh: 0.5 }).reason).toBe(`Before it was changed: ${aboutObjective('dapo').reason}`);
});
