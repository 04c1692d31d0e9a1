// Experiments that the recorded verdict on their world is of, and those that are told that it is not.
import { expect, test } from 'vitest';
import { isAsRecorded } from '../../src/experiment/conclude/verdicts';
import { defaultPreset, findPreset, presets } from '../../src/experiment/presets/presets';

test('of the presets, the plain worlds with and without prediction are as recorded; variants and failures are not', () => {
  expect(presets.filter(({ experiment }) => isAsRecorded(experiment, findPreset)).map(({ id }) => id)).toEqual([
    'calculator-searched',
    'gridworld-searched',
    'gridworld',
    'gridworld-small',
    'calculator-without-tool',
    'shop',
    'terminal',
    'hindsight',
  ]);
});

test('a changed world is another, a changed share held out is not, and one arm alone is no comparison', () => {
  const { experiment } = findPreset('gridworld') ?? defaultPreset;
  const { environment, arms } = experiment;
  const withSettings = (settings: Record<string, number>) => ({
    arms,
    environment: { ...environment, settings: { ...environment.settings, ...settings } },
  });
  expect(isAsRecorded(withSettings({ heldOut: 0.4 }), findPreset)).toBe(true);
  expect(isAsRecorded(withSettings({ slip: 0.1 }), findPreset)).toBe(false);
  expect(isAsRecorded({ environment, arms: arms.slice(0, 1) }, findPreset)).toBe(false);
});
