/**
 * Masked log-prob of this lab against jax-js and TensorFlow.js; run by hand:
 *   node scripts/run.mjs bench/logProbPeers.ts [--sizes=512x2048,32000x256] [--devices=webgpu,cpu] [--repetitions=6]
 * A size is vocabulary x rows. All run in turn in the tests' Chromium, in the same page, on the same adapter. What counts is
 * the ratio; the load of the machine is printed to judge how far it can be trusted.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { withPage } from './browserBundle';
import type { LogProbOptions, SideResult } from './peers/logProbPage';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '512x2048,32000x256' },
    devices: { type: 'string', default: 'webgpu,cpu' },
    repetitions: { type: 'string', default: '6' },
  },
});

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Ratio of their time to ours, over repetitions: median (lowest … highest). */
function ratios(theirs: readonly number[], ours: readonly number[]): string {
  const each = theirs.map((time, i) => time / (ours[i] as number)).sort((a, b) => a - b);
  return `${median(each).toFixed(1)} (${(each[0] ?? Number.NaN).toFixed(1)} … ${(each.at(-1) ?? Number.NaN).toFixed(1)})`;
}

const milliseconds = (seconds: readonly number[]): string => `${(median(seconds) * 1e3).toFixed(1)} ms`;

const columns = [10, 11, 8, 12, 20, 14, 20, 12, 12];
const line = (cells: readonly string[]): string => cells.map((cell, i) => cell.padEnd(columns[i] ?? 0)).join('');

console.log(
  line(['size', 'device', 'side', 'forward', 'times ours', 'with gradient', 'times ours', 'error', 'its gradient']),
);
for (const size of values.sizes.split(',')) {
  for (const device of values.devices.split(',')) {
    const [vocabulary, rows] = size.split('x').map(Number);
    const options = { vocabulary, rows, device, repetitions: Number(values.repetitions) } as LogProbOptions;
    const sides = await withPage<SideResult[]>('bench/peers/logProbPage.ts', (page) =>
      page.evaluate(`bench.compareLogProb(${JSON.stringify(options)})`),
    );
    const [ours] = sides;
    for (const { name, forward, gradient, logProbError, gradientError } of sides) {
      const isOurs = name === ours?.name;
      console.log(
        line([
          size,
          device,
          name,
          milliseconds(forward),
          isOurs ? '' : ratios(forward, ours?.forward ?? []),
          milliseconds(gradient),
          isOurs ? '' : ratios(gradient, ours?.gradient ?? []),
          logProbError.toExponential(1),
          gradientError.toExponential(1),
        ]),
      );
    }
    console.log(`load ${(loadavg()[0] as number).toFixed(1)}`);
  }
}
process.exit();
