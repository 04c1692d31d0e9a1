/** Examinations of new experiments; presets and links made before have what was written into them. */
import { beforeAll, expect, test } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { WORLD_KEY } from '../../src/environments/own/own';
import { defaultSettings, environments } from '../../src/environments/registry';
import { backIn, holdsTasksOut, newlyExamined, usualExamination } from '../../src/experiment/examination';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { findPreset, presets } from '../../src/experiment/presets/presets';

beforeAll(openWorlds);

const gridworld = decodeLink('preset=gridworld');
const inWorld = (id: string) => ({ ...gridworld, environment: { id, settings: defaultSettings(id) } });

/** Presets that were published without an examination in a world that sets tasks aside: they stay so. */
const UNEXAMINED = ['terminal', 'failure-missing-tools', 'terminal-from-files'];

test('a preset in a world that sets tasks aside is examined, but for those that were published without', () => {
  const held = presets.filter(({ experiment }) => holdsTasksOut(experiment.environment) === true);
  const without = held.filter(({ experiment }) => experiment.evaluation.every === 0).map(({ id }) => id);
  expect(without).toEqual(UNEXAMINED);
});

test.each(Object.keys(environments))('a link made before into the world %s is not examined', (id) => {
  expect(decodeLink(`preset=gridworld&environment=${id}`)).toEqual(inWorld(id));
  expect(decodeLink(`preset=gridworld&environment=${id}`).evaluation.every).toBe(0);
});

test.each(presets)('the link of the preset $id means that preset', ({ id, experiment }) => {
  expect(encodeLink(experiment)).toBe(`preset=${id}`);
  expect(decodeLink(`preset=${id}`).evaluation).toEqual(experiment.evaluation);
});

test('a new experiment is examined exactly where tasks are set aside', () => {
  for (const id of Object.keys(environments)) {
    const holds = holdsTasksOut(inWorld(id).environment);
    const { evaluation } = newlyExamined(inWorld(id));
    expect(evaluation, id).toEqual(holds ? { every: 50, tasks: 64, toolEvery: 0 } : gridworld.evaluation);
  }
  expect(holdsTasksOut(inWorld('gridworld').environment)).toBe(false);
  expect(holdsTasksOut(inWorld('calculator').environment)).toBe(true);
  // An examination that was asked for stays.
  const asked = { ...inWorld('calculator'), evaluation: { every: 7, tasks: 9, toolEvery: 0 } };
  expect(newlyExamined(asked)).toBe(asked);
});

test('a world that cannot be made is not judged', () => {
  expect(holdsTasksOut({ id: 'own', settings: { [WORLD_KEY]: 'export default' } })).toBe(null);
  expect(holdsTasksOut({ id: 'nowhere', settings: {} })).toBe(null);
});

test('a short run has several examinations, a long one no more than needed', () => {
  expect([1, 3, 20, 150, 400].map((updates) => usualExamination({ updates }).every)).toEqual([1, 1, 6, 50, 50]);
});

test('back in a known world, an examination that nobody asked for is gone', () => {
  const known = findPreset('gridworld')?.experiment ?? gridworld;
  expect(backIn(newlyExamined(inWorld('calculator')), known)).toEqual(known);
  const asked = { ...inWorld('calculator'), evaluation: { every: 7, tasks: 9, toolEvery: 0 } };
  expect(backIn(asked, known).evaluation).toEqual({ every: 7, tasks: 9, toolEvery: 0 });
});
