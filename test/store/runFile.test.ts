// The result of a run as a file that the page opens: its curves and digest are the run's, and what is no whole run is refused.
import { beforeAll, expect, test } from 'vitest';
import { computedBy, type SharedResult } from '../../src/experiment/conclude/result';
import { areaUnderCurve } from '../../src/experiment/conclude/statistics';
import { checkExperiment } from '../../src/experiment/parse';
import { standingHere } from '../../src/experiment/provenance';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { readExperimentFile } from '../../src/store/edit/arrival';
import { runOfFile } from '../../src/store/recorded/runFile';
import type { RunResult } from '../../src/train/result/result';
import { dataJson } from '../../src/ui/model/files/data';
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
  const [part] = computedBy(result as SharedResult);
  expect(part).toEqual({ backend: 'cpu', code: run.machines[0]?.code });
  expect(standingHere(part)).toBe('same');
  const arms = typeof result === 'string' ? [] : (result?.arms ?? []);
  expect(arms.map(({ area }) => area)).toEqual(
    run.arms.map(({ seeds }) => seeds.map(({ curve }) => areaUnderCurve(curve.successRate))),
  );
});

test('what the page itself saves of a run brings the same result, with its note', async () => {
  const { experiment, result } = await opened(run);
  if (experiment === null || typeof result === 'string' || result === null) throw new Error('There is no result.');
  const history = new MetricHistory(run.arms.length, experiment.seeds);
  const size = run.arms.length * experiment.seeds * METRICS.length;
  const values = new Float32Array(3 * size).fill(Number.NaN);
  for (const [arm, { seeds }] of run.arms.entries()) {
    for (const [seed, { curve }] of seeds.entries()) {
      for (const metric of METRICS) {
        for (const [update, value] of (curve[metric] ?? []).entries()) {
          values[update * size + (arm * experiment.seeds + seed) * METRICS.length + METRIC[metric]] =
            value ?? Number.NaN;
        }
      }
    }
  }
  history.append(0, 3, run.arms.length * experiment.seeds, values);
  const about = { adapter: run.adapter, machines: run.machines, note: 'Look at arm 2.' };
  const saved = JSON.parse([...dataJson(experiment, history, METRICS, null, about)].join(''));
  expect((await opened(saved)).result).toEqual({ ...result, note: about.note });
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

test('refused: more numbers than the page has room for, in a file of a few characters each', async () => {
  const [updates, seeds] = [25_000, 32];
  const arms = run.experiment.arms.slice(0, 2);
  const nulls = `[${Array(updates).fill('null').join()}]`;
  const seed = `{"curve":{"successRate":${nulls},"observationCrossEntropy":${nulls},"return":${nulls}}}`;
  const all = arms.map(({ id }) => `{"id":"${id}","seeds":[${Array(seeds).fill(seed).join()}]}`);
  const experiment = JSON.stringify({ ...run.experiment, arms, seeds, updates });
  const file = new Blob([`{"adapter":"","experiment":${experiment},"arms":[${all}]}`]);
  await expect(readExperimentFile(file)).rejects.toThrow(/25000 updates of 64 members are more/);
});

test('entries are counted before any of them is judged', async () => {
  let judged = 0;
  const many = (key: string) =>
    Array.from({ length: 1000 }, () => ({
      id: 'arm',
      get [key]() {
        judged++;
        return [];
      },
    }));
  for (const arms of [many('seeds'), [{ id: 'arm', seeds: many('curve') }]]) {
    await expect(runOfFile({ adapter: '', arms }, run.experiment)).rejects.toThrow(/curves cannot be read/);
  }
  const curve = { successRate: [], observationCrossEntropy: [], return: new Array(100_001).fill('no number') };
  const arms = [{ id: 'arm', seeds: [{ curve }] }];
  await expect(runOfFile({ adapter: '', arms }, run.experiment)).rejects.toThrow(/curves cannot be read/);
  expect(judged).toBe(0);
  const settings = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`setting${i}`, null]));
  const { problems } = checkExperiment({ ...run.experiment, environment: { id: 'gridworld', settings } });
  expect(problems).toEqual([{ path: 'environment.settings', message: 'An environment has at most 1000 settings.' }]);
});
