/** The example of the first screen is of the world that is open. */
import { beforeAll, expect, test } from 'vitest';
import { exhibit } from '../../src/environments/exhibit';
import { openWorlds } from '../../src/environments/own/here';
import { findPreset, presets } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { worldOf } from '../../src/ui/environment';
import { exampleTokens } from '../../src/ui/lab/worlds/exampleTokens';

beforeAll(openWorlds);

const worldIn = (preset: string) => {
  const environment = findPreset(preset)?.experiment.environment;
  const world = environment === undefined ? null : worldOf(environment);
  if (world === null) throw new Error(preset);
  return world;
};
const exampleIn = (preset: string) => {
  const { environment, words } = worldIn(preset);
  return exampleTokens(exhibit(environment), words);
};
const wordsIn = (preset: string) =>
  exampleIn(preset)
    .map(({ words }) => words)
    .join(' ');

test('the tokens are those of the world', () => {
  expect(wordsIn('gridworld')).toMatch(/[↑↓←→] [a-z]\d/);
  expect(wordsIn('shop')).toMatch(/ buy$/);
  expect(wordsIn('calculator-searched')).not.toMatch(/[↑↓←→]|buy/);
});

test.each(presets.map(({ id }) => id))('in %s an action and what it is answered are among them, on one line', (id) => {
  const roles = exampleIn(id).map(({ role }) => role);
  const answers = Array.from(exhibit(worldIn(id).environment).roles).includes(ROLE.observation);
  expect(roles).toContain('action');
  if (answers) expect(roles.indexOf('observation')).toBeGreaterThan(roles.indexOf('action'));
  expect(wordsIn(id).length).toBeLessThan(60);
});
