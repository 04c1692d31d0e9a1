/** Estimates of a run's length. */
import { expect, test } from 'vitest';
import { estimateSeconds } from '../../src/experiment/duration';
import { findPreset } from '../../src/experiment/presets/presets';
import { createEnvironment } from '../../src/train/population/shape';

const { experiment } = findPreset('listener') ?? expect.fail();
const seconds = (policy: Partial<typeof experiment.policy>): number =>
  estimateSeconds({ ...experiment, policy: { ...experiment.policy, ...policy } }, createEnvironment(experiment));

test('a language model is as large as it is, whatever the settings of noise say', () => {
  expect(seconds({ layers: 8, width: 512 })).toBe(seconds({}));
  // 259,000 multiply-adds a token, 64 stories of at most 165 tokens, 60 updates of 7 passes, four arms, and a KL's.
  expect(seconds({}) / 60).toBeGreaterThan(3);
  expect(seconds({}) / 60).toBeLessThan(6);
});
