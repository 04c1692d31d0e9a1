/** Printed rows of the comparison with PyTorch. The steps that warm up do not count in any number but the curves. */
import { loadavg } from 'node:os';
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { median, ratioOf, type Times } from './byTurns';
import type { Played } from './ourUpdate';

/** First steps, which compile and fill caches. */
export const WARM_UP = 4;
/** Points of a printed curve. */
const POINTS = 10;

export const HEAD =
  '\nProcessor time, medians; ratio of ours to PyTorch’s, and the least and most of single turns; the ratio of products alone at the rate above\n' +
  '                              ours ms  PyTorch ms  ratio               products alone  by the clock  load';

export const giga = (perSecond: number): string => `${(perSecond / 1e9).toFixed(0)} GFLOP/s`;
const milliseconds = (seconds: readonly number[]): string => (median(seconds) * 1e3).toFixed(1);

export interface Row {
  /** Shape or experiment. */
  readonly of: string;
  readonly kind: CpuKind;
  readonly ours: readonly Times[];
  readonly theirs: readonly Times[];
  /** Ratio if ours did its products at our ceiling and all else in no time. */
  readonly productsAlone: number;
  readonly remark: string;
}

export function printRow({ of, kind, ours, theirs, productsAlone, remark }: Row): void {
  const counted = (time: keyof Times) =>
    [ours, theirs].map((steps) => steps.slice(WARM_UP).map((step) => step[time])) as [number[], number[]];
  const [mine, peers] = counted('processor');
  const { ofMedians, least, most } = ratioOf(mine, peers);
  const byClock = ratioOf(...counted('wall')).ofMedians;
  console.log(
    `${of.padEnd(18)} ${kind.padEnd(10)} ${milliseconds(mine).padStart(7)} ${milliseconds(peers).padStart(11)}  ` +
      `${ofMedians.toFixed(2)} (${least.toFixed(2)} … ${most.toFixed(2)})`.padEnd(21) +
      `${productsAlone.toFixed(2).padStart(13)} ${byClock.toFixed(2).padStart(13)} ${(loadavg()[0] as number).toFixed(1).padStart(5)}  ${remark}`,
  );
}

/** Median seconds of processor time of a step. */
export const secondsOf = (steps: readonly Times[]): number =>
  median(steps.slice(WARM_UP).map(({ processor }) => processor));

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Seconds of processor time for each token that was played. */
export function secondsPerToken(updates: readonly (Played & Times)[]): number {
  const counted = updates.slice(WARM_UP);
  return total(counted.map(({ processor }) => processor)) / total(counted.map(({ tokens }) => tokens));
}

/** Tokens and time of a side's updates; what it learned from the first on, the mean of each tenth of the updates. */
export function toldUpdates(updates: readonly (Played & Times)[]): string {
  const counted = updates.slice(WARM_UP);
  const tokens = total(counted.map((update) => update.tokens)) / counted.length;
  const curve = (of: 'success' | 'predicted'): string =>
    Array.from({ length: POINTS }, (_, tenth) => {
      const [first, last] = [tenth, tenth + 1].map((at) => Math.floor((at * updates.length) / POINTS));
      const part = updates.slice(first, last).map((update) => update[of]);
      return part.length === 0 ? '–' : (total(part) / part.length).toFixed(2);
    }).join(' ');
  return (
    `${tokens.toFixed(0)} tokens an update, ${(secondsPerToken(updates) * 1e6).toFixed(1)} µs a token; ` +
    `success ${curve('success')}; cross-entropy of observations ${curve('predicted')}`
  );
}
