/** An example is shown as each arm would learn from it. */
import { expect, test } from 'vitest';
import { exhibit } from '../../src/environments/exhibit';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { worldOf } from '../../src/ui/model/environment';
import { exampleFor } from '../../src/ui/model/worlds/boards/standIns';

const { arms, environment } = findPreset('gridworld')?.experiment ?? { arms: [], environment: undefined };

/** Weights of the second token of a role: the first of all is predicted from nothing. */
function weightsOf(id: string, role: number): readonly [policy: number, prediction: number] {
  const arm = arms.find((one) => one.id === id);
  const world = environment === undefined ? null : worldOf(environment);
  if (arm === undefined || world === null) throw new Error(id);
  const shown = exhibit(world.environment);
  const { policyWeight, crossEntropyWeight } = exampleFor(arm, shown, Uint16Array.from(shown.tokens));
  const at = Array.from(shown.roles).lastIndexOf(role);
  expect(at).toBeGreaterThan(0);
  return [policyWeight[at] ?? -1, Number((crossEntropyWeight[at] ?? -1).toFixed(3))];
}

test('observations are masked, predicted, or rewarded by mistake', () => {
  expect(weightsOf('action-mask', ROLE.observation)).toEqual([0, 0]);
  expect(weightsOf('world-model', ROLE.observation)).toEqual([0, 0.1]);
  expect(weightsOf('no-mask', ROLE.observation)).toEqual([1, 0]);
  for (const { id } of arms.slice(0, 3)) expect(weightsOf(id, ROLE.action)).toEqual([1, 0]);
});
