/**
 * Numbers of the seven experiments of failures, from what `lab run failure-… --seeds 0-3 --set seeds=4 --json` printed:
 *   node scripts/run.mjs bench/failures.ts RESULT.json … > test/fixtures/measured/failures.json
 * Tests compare the README and the presets' texts with these numbers.
 */
import { readFileSync } from 'node:fs';
import { armCurves } from '../src/cli/run/health';
import { countOf, FAILURES, judgeArm } from '../src/experiment/conclude/health';
import { final } from '../src/experiment/conclude/statistics';
import type { RunResult } from '../src/train/result/result';

/** Digits kept; texts round to two. */
const DIGITS = 4;
const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

function measured(result: RunResult) {
  const failure = FAILURES.find(({ id }) => result.experiment.preset === `failure-${id}`);
  if (failure === undefined) throw new Error(`${result.experiment.preset} is no experiment of a failure.`);
  const arms = armCurves(result).map(({ curves, facts }, index) => {
    const light = judgeArm(failure, curves, facts);
    const success = (result.arms[index]?.seeds ?? []).map(({ curve }) => final(curve.successRate) ?? Number.NaN);
    return {
      failing: countOf(light.seeds, 'failing'),
      values: light.seeds.map(({ value }) => rounded(value)),
      success: success.map(rounded),
    };
  });
  return [failure.id, arms] as const;
}

const results = process.argv.slice(2).map((file): RunResult => JSON.parse(readFileSync(file, 'utf8')));
console.log(JSON.stringify(Object.fromEntries(results.map(measured)), null, 2));
