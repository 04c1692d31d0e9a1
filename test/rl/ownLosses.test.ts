import { expect, test } from 'vitest';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { ROLE } from '../../src/foundation/roles';
import { hyperparameters, lossHyperparameters, membersOf, ownedHyperparameters } from '../../src/rl/population';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';

const NOWHERE = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };
const plain: Arm = {
  ...defaultArm('plain', 'Plain'),
  pg: { ...NOWHERE, action: 1 },
  ce: { ...NOWHERE, observation: 0.1 },
  aggregation: 'seq-mean-token-sum',
};
const own: Arm = {
  ...plain,
  id: 'own',
  losses: [
    { name: 'mine', text: 'loss = -A * logp', place: 'policy', on: NOWHERE, values: {} },
    { name: 'next', text: 'loss = -A * logp', place: 'added', on: { ...NOWHERE, warning: 0.5 }, values: {} },
  ],
};
const arms = [plain, own];
const members = membersOf(arms, [0]);

const at = (table: Float32Array, member: number, column: number, role: keyof typeof ROLE): number | undefined =>
  table[member * HYPER_COLUMNS + column + ROLE[role]];

test('the lab’s own losses have no weight where one of one’s own stands for them', () => {
  const table = ownedHyperparameters(members, arms);
  expect(at(table, 0, HYPER.policyGradient, 'action')).toBe(1);
  expect(at(table, 1, HYPER.policyGradient, 'action')).toBe(0);
  expect(at(table, 1, HYPER.crossEntropy, 'observation')).toBeCloseTo(0.1);
});

test('a role that only a loss of one’s own uses has log-probs and advantages', () => {
  const table = hyperparameters(members, arms);
  expect(at(table, 0, HYPER.policyGradient, 'warning')).toBe(0);
  expect(at(table, 1, HYPER.policyGradient, 'warning')).toBe(1);
});

test('a prediction loss that reads A has advantages on observations, one that does not has none', () => {
  const predicting = (id: string, text: string): Arm => ({
    ...plain,
    id,
    losses: [{ name: id, text, place: 'predict', on: NOWHERE, values: {} }],
  });
  const both = [predicting('reads', 'loss = -A * logp'), predicting('reads-not', 'loss = -logp')];
  const table = hyperparameters(membersOf(both, [0]), both);
  expect(at(table, 0, HYPER.policyGradient, 'observation')).toBe(1);
  expect(at(table, 1, HYPER.policyGradient, 'observation')).toBe(0);
});

test('a loss of one’s own has the weights of what it stands for, an added one its own', () => {
  const find = (name: string) => (arm: Arm) => arm.losses.find((loss) => loss.name === name);
  const mine = lossHyperparameters(members, arms, find('mine'), 0);
  expect(at(mine, 0, HYPER.policyGradient, 'action')).toBe(0);
  expect(at(mine, 1, HYPER.policyGradient, 'action')).toBe(1);
  expect(mine[HYPER_COLUMNS + HYPER.aggregation]).not.toBe(0);
  const next = lossHyperparameters(members, arms, find('next'), 0);
  expect(at(next, 1, HYPER.policyGradient, 'warning')).toBe(0.5);
  expect(at(next, 1, HYPER.policyGradient, 'action')).toBe(0);
  expect(next[HYPER_COLUMNS + HYPER.aggregation]).toBe(0);
});
