/** Ranges and ticks of axes. */
import { textWidth } from './textWidth';

/** Pixels left of a plot for the numbers of its vertical axis; more where one of them is longer. */
export const NUMBERS_LEFT = 44;
/** Pixels that a number may be wider, of its last letter's margin: plots below one another begin at the same place. */
const OVER = 2;
/** Pixels between a number and the plot. */
export const NUMBERS_APART = 8;

export function numbersLeft({ ticks, write }: { ticks: readonly number[]; write: (value: number) => string }): number {
  if (ticks.length === 0) return 0;
  const widest = Math.max(...ticks.map((at) => textWidth(write(at)))) + NUMBERS_APART;
  return widest > NUMBERS_LEFT + OVER ? widest : NUMBERS_LEFT;
}

export interface ValueAxis {
  readonly domain: readonly [low: number, high: number];
  readonly ticks: readonly number[];
  readonly log: boolean;
}

/** A step of 1, 2 or 5 times a power of ten that cuts a range into at most `most` parts. */
export function niceStep(range: number, most: number): number {
  const raw = range / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= raw * (1 - 1e-9)) ?? 10);
}

export function ticksBetween(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low];
  const step = niceStep(high - low, most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

export const SHARES: ValueAxis = { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], log: false };

export function linear(low: number, high: number): ValueAxis {
  const top = high > low ? high : low + 1;
  const step = niceStep(top - low, 4);
  const domain = [Math.floor(low / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step] as const;
  return { domain, ticks: ticksBetween(domain[0], domain[1], 4), log: false };
}

export function logarithmic(low: number, high: number): ValueAxis {
  const bottom = Math.floor(Math.log10(Math.max(low, 1e-6)));
  const top = Math.max(bottom + 1, Math.ceil(Math.log10(Math.max(high, 1e-6))));
  const ticks = Array.from({ length: top - bottom + 1 }, (_, index) => Number((10 ** (bottom + index)).toPrecision(3)));
  return { domain: [10 ** bottom, 10 ** top], ticks, log: true };
}

/** Powers of ten within a range, or of two where it has fewer than two of them. */
export function logTicks(low: number, high: number): number[] {
  for (const base of [10, 2]) {
    const log = (value: number): number => Math.log(value) / Math.log(base);
    const [first, last] = [Math.ceil(log(low) - 1e-9), Math.floor(log(high) + 1e-9)];
    const step = Math.max(1, Math.ceil((last - first) / 6));
    const powers = Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) =>
      Number((base ** (first + index * step)).toPrecision(6)),
    );
    if (powers.length > 1) return powers;
  }
  return [low, high];
}
