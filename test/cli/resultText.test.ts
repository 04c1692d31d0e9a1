/** A result in pieces is the JSON of the whole, or its curves as CSV, and no piece of a long run's is much longer than a curve. */
import { expect, test } from 'vitest';
import { csvPieces, resultPieces } from '../../src/cli/run/resultText';
import { findPreset } from '../../src/experiment/presets/presets';
import { isOfFormulas, METRIC, METRICS } from '../../src/rl/measure/metrics';
import { membersOf } from '../../src/rl/population';
import { buildResult } from '../../src/train/result/result';

const { experiment } = findPreset('gridworld-tiny') as { experiment: Parameters<typeof buildResult>[0]['experiment'] };

function resultOf(updates: number) {
  const members = membersOf(experiment.arms, [0, 1]);
  const curves = Float32Array.from({ length: updates * members.length * METRICS.length }, (_, i) => Math.sin(i));
  curves[3] = Number.NaN;
  for (let row = 0; row < updates * members.length; row++) curves[row * METRICS.length + METRIC.kl] = Number.NaN;
  const title = '“\\u0000curve” {"curve":[1]}';
  const about = { backend: 'cpu', adapter: 'CPU', machines: [], wallSeconds: 1, tokens: 9 };
  return buildResult({ experiment: { ...experiment, title }, ...about }, members, curves);
}

async function pieces(updates: number, of = resultPieces): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of of(resultOf(updates))) all.push(piece);
  return all;
}

test('together they are the JSON of the result', async () => {
  for (const updates of [0, 1, 700]) expect((await pieces(updates)).join('')).toBe(JSON.stringify(resultOf(updates)));
});

test('each holds some curves, not all', async () => {
  const all = await pieces(1500);
  expect(all.length).toBeGreaterThan(4);
  expect(Math.max(...all.map(({ length }) => length))).toBeLessThan(2 ** 20 + 50_000);
});

test('as CSV each arm, seed and update is a row of the measured metrics, empty where one is not', async () => {
  const all = await pieces(700, csvPieces);
  expect(all.length).toBeGreaterThan(1);
  const [head = [], ...rows] = all
    .join('')
    .split('\n')
    .map((line) => line.split(','));
  // Formulas’ metrics are of arms that have some, and kl was never measured.
  const measured = METRICS.filter((metric) => metric !== 'kl' && !isOfFormulas(metric));
  expect(head).toEqual(['arm', 'seed', 'update', ...measured]);
  const expected = resultOf(700).arms.flatMap(({ id, seeds }) =>
    seeds.flatMap(({ seed, curve }) => {
      const columns = measured.map((metric) => curve[metric]);
      return curve.update.map((update) => [id, seed, update, ...columns.map((one) => one[update] ?? '')].map(String));
    }),
  );
  expect(rows).toEqual(expected);
  expect(rows[0]?.[head.indexOf(METRICS[3])]).toBe('');
  expect(await pieces(0, csvPieces)).toEqual(['arm,seed,update']);
});
