/** A new arm is another method, not one more of the last. */
import { expect, test } from 'vitest';
import { changedFromObjective, objectivePresets } from '../../src/experiment/objectives/objectivePresets';
import { checkExperiment } from '../../src/experiment/parse';
import { firstPreset } from '../../src/experiment/presets/presets';
import { LIMITS } from '../../src/experiment/settings/tables';
import { addFixedArm, addMethodArm } from '../../src/ui/model/arms/edits';

const { experiment } = firstPreset;
const first = experiment.arms[0];

test.each(objectivePresets)('$id as an arm is that objective, and otherwise as the first', (objective) => {
  const next = addMethodArm(experiment, objective);
  const added = next.arms.at(-1);
  expect(next.arms.slice(0, -1)).toEqual(experiment.arms);
  expect(added).toMatchObject({ objective: objective.id, learningRate: first?.learningRate, reward: first?.reward });
  expect(added === undefined ? null : changedFromObjective(added)).toEqual([]);
  expect(checkExperiment(next).problems).toEqual([]);
});

test('names and ids stay apart, formulas stay where they were written, and a full table stays as it is', () => {
  const [objective] = objectivePresets;
  if (objective === undefined || first === undefined) throw new Error('no objective');
  const loss = { name: 'mine', text: 'ratio', place: 'policy', on: first.pg, values: {} } as const;
  const own = { ...experiment, arms: [{ ...first, losses: [loss] }] };
  let next = addMethodArm(addMethodArm(own, objective), objective);
  expect(next.arms.map(({ name }) => name)).toEqual([first.name, objective.title, `${objective.title} 2`]);
  expect(new Set(next.arms.map(({ id }) => id)).size).toBe(3);
  expect(next.arms.map(({ losses }) => losses.length)).toEqual([1, 0, 0]);
  while (next.arms.length < LIMITS.arms) next = addMethodArm(next, objective);
  expect(addMethodArm(next, objective)).toBe(next);
});

test('it learns, also where a fixed policy comes first', () => {
  const [objective] = objectivePresets;
  if (objective === undefined) throw new Error('no objective');
  const { arms } = addFixedArm(experiment, 'ab'.repeat(32), 'File');
  const turned = { ...experiment, arms: arms.toReversed() };
  expect(addMethodArm(turned, objective).arms.at(-1)?.fixedPolicy).toBe('');
});
