/** `lab run` of a policy that diverges keeps the state from before it, and goes on from there with a lower learning rate. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { freshFolder } from '../support/folder';
import { lab } from '../support/lab';

const at = freshFolder();

const preset = findPreset('gridworld-tiny')?.experiment;
const change = (arm: string, setting: string, value: number) => ({ update: 12, arm, setting, value });
const harmful = [change('*', 'learningRate', 1), change('*', 'weightDecay', 10)];
const small = { ...preset, arms: preset?.arms.slice(0, 1), seeds: 1, updates: 80 };
const [arm] = small.arms ?? [];

function run(...given: string[]) {
  return lab('run', ...given, '--json');
}

function begin(timeline: readonly object[], out: string) {
  const file = at('experiment.json');
  writeFileSync(file, JSON.stringify({ ...small, timeline }));
  return run(file, '--backend', 'cpu', '--workers', '1', '--out', out);
}

test('the run ends with code 3, and the one that goes back as if it had begun so', () => {
  const [diverged, back, other] = ['diverged', 'back', 'other'].map((name) => at(name)) as [string, string, string];
  const first = begin(harmful, diverged);
  expect(first.status).toBe(3);
  expect(first.stderr).toMatch(
    /The state after update 10 is kept\. .* learning rate 0\.01 from update 12 on: .*--roll-back/,
  );

  expect(run('--resume', diverged, '--roll-back').status).toBe(2);
  const second = run('--resume', diverged, '--roll-back', '--out', back);
  expect([second.status, second.stderr]).toEqual([0, expect.not.stringMatching(/Diverged/)]);
  const third = begin([...harmful, change(arm?.id ?? '', 'learningRate', 0.01)], other);
  const [{ experiment, arms }, expected] = [JSON.parse(second.stdout), JSON.parse(third.stdout)];
  expect([experiment, arms]).toEqual([expected.experiment, expected.arms]);
  // It did not diverge, so nothing leads back from it.
  expect(run('--resume', back, '--roll-back', '--out', at('again')).stderr).toMatch(/has not diverged/);
});
