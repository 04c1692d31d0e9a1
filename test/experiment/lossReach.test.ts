// What a user's loss reaches before it is applied: shares of the gradient by role, no gradient, no finite number.
import { expect, test } from 'vitest';
import { formulaNotes } from '../../src/experiment/arm/formulaNotes';
import { policyText } from '../../src/experiment/arm/formulaTexts';
import { reachOf } from '../../src/experiment/arm/lossReach';
import { formulaOf, NOWHERE } from '../../src/experiment/arm/ownLosses';
import { defaultArm } from '../../src/experiment/experiment';
import { objectivePresets, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { ROLES, type Role } from '../../src/foundation/roles';

const reach = (text: string, weights: Partial<Record<Role, number>> = { action: 1 }) => {
  const formula = formulaOf(text);
  const values = formula.parameters.map((one) => one.default);
  const { shares, ...rest } = reachOf(formula, ROLES, (role) => weights[role] ?? 0, values);
  return { ...rest, of: Object.fromEntries(shares) };
};

test('the gradient is shared among the roles that have a weight', () => {
  expect(reach('loss = -logp').of).toEqual({ prompt: 0, action: 1, observation: 0, warning: 0, thought: 0 });
  expect(reach('loss = -logp', { action: 1, observation: 0.25 }).of).toMatchObject({ action: 0.8, observation: 0.2 });
  expect(reach('loss = where(is_action, -A * logp, 0)', { action: 1, observation: 1 }).of.observation).toBe(0);
  expect(reach('loss = -entropy').of.action).toBe(1);
  expect(reach('loss = -mean_trajectory(logp) * (reward - mean_group(reward)) / std_group(reward)').of.action).toBe(1);
  expect(reach('loss = -logp', {})).toMatchObject({ hasGradient: true, broken: null, isNeverFinite: false });
});

test.each([['loss = 3'], ['loss = detach(logp) * A'], ['loss = old_logp']])('%s has no gradient', (text) => {
  expect(reach(text).hasGradient).toBe(false);
});

test('what is not finite is told with its place, everywhere or at some tokens', () => {
  expect(reach('loss = -A * logp / 0')).toMatchObject({
    broken: { text: '-A * logp / 0', line: 1 },
    isNeverFinite: true,
  });
  expect(reach('x = sqrt(logp)\nloss = x')).toMatchObject({ broken: { text: 'sqrt(logp)' }, isNeverFinite: true });
  expect(reach('loss = log(A) * logp')).toMatchObject({ broken: { text: 'log(A)' }, isNeverFinite: false });
});

test.each(objectivePresets.map((one) => [one.id, policyText(withObjective(defaultArm('a', 'A'), one))]))(
  'the policy loss of %s reaches actions and is finite',
  (_, text) => {
    expect(reach(text)).toMatchObject({ broken: null, hasGradient: true, of: { action: 1 } });
  },
);

test('a branch for tokens that the loss is not used for is told', () => {
  const notes = (on: Partial<typeof NOWHERE>, place: 'policy' | 'added', text: string) =>
    formulaNotes(
      formulaOf(text),
      { name: 'mine', text, place, on: { ...NOWHERE, ...on }, values: {} },
      defaultArm('a', 'A'),
    ).map((one) => one.text);
  const branch = 'loss = -logp if is_observation else -A * logp';
  expect(notes({}, 'policy', branch).join()).toMatch(/observation tokens.*never acts.*let the loss be added/);
  expect(notes({ action: 1 }, 'added', branch).join()).toMatch(/never acts.*give them a weight/);
  expect(notes({ action: 1, observation: 1 }, 'added', branch).join()).not.toMatch(/never acts/);
});
