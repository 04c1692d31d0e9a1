/** A result in pieces is the JSON of the whole, and no piece of a long run's is much longer than a curve. */
import { expect, test } from 'vitest';
import { buildResult } from '../../src/cli/run/result';
import { resultPieces } from '../../src/cli/run/resultText';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRICS } from '../../src/rl/measure/metrics';
import { membersOf } from '../../src/rl/population';

const { experiment } = findPreset('gridworld-tiny') as { experiment: Parameters<typeof buildResult>[0]['experiment'] };

function resultOf(updates: number) {
  const members = membersOf(experiment.arms, [0, 1]);
  const curves = Float32Array.from({ length: updates * members.length * METRICS.length }, (_, i) => Math.sin(i));
  curves[3] = Number.NaN;
  const title = '“\\u0000curve” {"curve":[1]}';
  const about = { backend: 'cpu', adapter: 'CPU', machines: [], wallSeconds: 1, tokens: 9 };
  return buildResult({ experiment: { ...experiment, title }, ...about }, members, curves);
}

async function pieces(updates: number): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of resultPieces(resultOf(updates))) all.push(piece);
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
