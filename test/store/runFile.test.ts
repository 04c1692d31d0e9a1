// The result of a run as a file that the page opens: its curves and digest are the run's, and what is no whole run is refused.
import { beforeAll, expect, test } from 'vitest';
import { areaUnderCurve } from '../../src/experiment/statistics';
import type { RunResult } from '../../src/lab/result';
import { readExperimentFile } from '../../src/store/arrival';
import { labResult } from '../support/lab';

let run: RunResult;
beforeAll(() => {
  run = labResult<RunResult>('run', 'gridworld-tiny', '--backend', 'cpu', '--workers', '1', '--updates', '3');
});

const opened = (content: unknown) => readExperimentFile(new Blob([JSON.stringify(content)]));

test('a run’s result brings its experiment, machines and curves', async () => {
  const { experiment, machines, result } = await opened(run);
  expect(experiment).toEqual(run.experiment);
  expect(machines).toEqual(run.machines);
  expect(result).toMatchObject({ updates: 3, device: run.adapter, at: [0, 1, 2] });
  const arms = typeof result === 'string' ? [] : (result?.arms ?? []);
  expect(arms.map(({ area }) => area)).toEqual(
    run.arms.map(({ seeds }) => seeds.map(({ curve }) => areaUnderCurve(curve.successRate))),
  );
});

test('the digest tells one changed number', async () => {
  const other = structuredClone(run);
  const curve = other.arms[0]?.seeds[0]?.curve.return;
  if (curve) curve[2] = (curve[2] ?? 0) + 1e-6;
  const [first, second] = [await opened(run), await opened(other)];
  expect(first.result).toHaveProperty('digest');
  expect(first.result).not.toEqual(second.result);
});

test.each([
  [
    'a share of the run’s members',
    (all: RunResult) => ({ ...all, arms: all.arms.map((arm) => ({ ...arm, seeds: [] })) }),
  ],
  ['cannot be read', (all: RunResult) => ({ ...all, arms: [{ id: 'action-mask', seeds: [{ curve: {} }] }] })],
  ['The file’s “machines”', (all: RunResult) => ({ ...all, machines: 7 })],
])('refused: %s', async (words, change) => {
  await expect(opened(change(run))).rejects.toThrow(words);
});
