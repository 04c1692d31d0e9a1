/** Comparison with jax-js, printed: training steps in the tests' Chromium, in the same page, in turn. */
import { loadavg } from 'node:os';
import { withPage } from '../browserBundle';
import { lossesApart, median, ratioOf } from './byTurns';
import type { Comparison, ComparisonOptions } from './page';

/** Largest difference of losses. */
const TOLERANCE = 1e-4;

const milliseconds = (seconds: readonly number[]): string => (median(seconds) * 1e3).toFixed(1).padStart(8);

export interface JaxOptions {
  readonly shapes: readonly ComparisonOptions['shape'][];
  readonly devices: readonly ComparisonOptions['device'][];
  readonly repetitions: number;
}

export async function againstJax({ shapes, devices, repetitions }: JaxOptions): Promise<void> {
  console.log(
    'shape   device      ours ms  jax-js ms   ratio of medians, and of single turns   load  losses differ by',
  );
  for (const shape of shapes) {
    for (const device of devices) {
      const { ours, theirs, losses } = await withPage<Comparison>('bench/peers/page.ts', (page) =>
        page.evaluate(`bench.compare(${JSON.stringify({ shape, device, repetitions } satisfies ComparisonOptions)})`),
      );
      const { ofMedians, least, most } = ratioOf(ours, theirs);
      const apart = lossesApart(losses.ours, losses.theirs, TOLERANCE);
      console.log(
        `${shape.padEnd(7)} ${device.padEnd(9)} ${milliseconds(ours)}   ${milliseconds(theirs)}   ` +
          `${ofMedians.toFixed(2)} (${least.toFixed(2)} … ${most.toFixed(2)})`.padEnd(36) +
          `${(loadavg()[0] as number).toFixed(1).padStart(5)}  ${apart.toExponential(1)} (${losses.ours[0]?.toFixed(4)} → ${losses.ours.at(-1)?.toFixed(4)})`,
      );
    }
  }
}
