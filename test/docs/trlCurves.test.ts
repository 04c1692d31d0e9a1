/** The curve that docs/scale.md tells of the listener here and in TRL, against its data (bench/trlCurves.ts). */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type TrlCurves, tableOf } from '../../bench/peers/trlTable';
import { unpairedDifference } from '../../src/experiment/conclude/statistics';

const curves: TrlCurves = JSON.parse(readFileSync('test/fixtures/measured/trl.json', 'utf8'));
const docs = readFileSync('docs/scale.md', 'utf8');
/** Cells without the padding of their columns. */
const cells = (text: string): string[][] => text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

test('the table is that of the data, four seeds an arm and side', () => {
  expect(curves.arms.map(({ seeds }) => seeds.length)).toEqual([4, 4, 4, 4]);
  const told = cells(docs).map((row) => row.join('|'));
  for (const row of cells(tableOf(curves)).filter((row) => row[1] !== '-')) expect(told).toContain(row.join('|'));
});

test('both sides begin as the same model', () => {
  for (const metric of ['return', 'observationCrossEntropy']) {
    const firsts = curves.arms.map(({ seeds }) => seeds.map(({ curve }) => curve[metric]?.[0] ?? Number.NaN));
    const [here = [], there = []] = firsts;
    const { interval } = unpairedDifference(here, there);
    expect(interval?.[0], metric).toBeLessThan(0);
    expect(interval?.[1], metric).toBeGreaterThan(0);
  }
});

test.each(['return', 'observationCrossEntropy'])('the chart of %s is there', (metric) => {
  expect(docs).toContain(`(trl-${metric}.svg)`);
  expect(existsSync(`docs/trl-${metric}.svg`)).toBe(true);
});
