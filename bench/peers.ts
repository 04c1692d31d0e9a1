/**
 * Training step of this lab against jax-js's; run by hand:
 *   node scripts/run.mjs bench/peers.ts [--shapes=small,base] [--devices=cpu,cpu-fused,webgpu] [--repetitions=6]
 * Both run in the tests' Chromium, in the same page, with steps in turn. What counts is the ratio; the load of the machine is
 * printed to judge how far it can be trusted. Both sides must report the same losses.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { withPage } from './browserBundle';
import type { Comparison, ComparisonOptions } from './peers/page';

const { values } = parseArgs({
  options: {
    shapes: { type: 'string', default: 'small,base' },
    devices: { type: 'string', default: 'cpu,cpu-fused,webgpu' },
    repetitions: { type: 'string', default: '6' },
  },
});

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const milliseconds = (seconds: number): string => (seconds * 1e3).toFixed(1).padStart(8);

console.log(
  'shape   device      ours ms  jax-js ms   ratio of medians  ratios, step by step        load  losses differ by',
);
for (const shape of values.shapes.split(',')) {
  for (const device of values.devices.split(',')) {
    const options = { shape, device, repetitions: Number(values.repetitions) } as ComparisonOptions;
    const { ours, theirs, losses } = await withPage<Comparison>('bench/peers/page.ts', (page) =>
      page.evaluate(`bench.compare(${JSON.stringify(options)})`),
    );
    const ratios = ours.map((time, i) => time / (theirs[i] as number)).sort((a, b) => a - b);
    const spread = `${(ratios[0] as number).toFixed(2)} … ${(ratios.at(-1) as number).toFixed(2)}`;
    const apart = Math.max(...losses.ours.map((loss, i) => Math.abs(loss - (losses.theirs[i] as number))));
    console.log(
      `${shape.padEnd(7)} ${device.padEnd(9)} ${milliseconds(median(ours))}   ${milliseconds(median(theirs))}   ` +
        `${(median(ours) / median(theirs)).toFixed(2).padStart(16)}  ${spread.padEnd(26)} ${(loadavg()[0] as number).toFixed(1).padStart(5)}  ` +
        `${apart.toExponential(1)} (${losses.ours[0]?.toFixed(4)} → ${losses.ours.at(-1)?.toFixed(4)})`,
    );
  }
}
process.exit();
