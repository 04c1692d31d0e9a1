/** Numbers of the search on fair ground as its texts write them. */
import type { Contest, Difference } from './fairGround';
import { meanOf } from './statistics';

export const decimal = (value: number): string => value.toFixed(2);
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
const between = ({ low, high }: Difference): string => `${signed(low)} to ${signed(high)}`;

/** `+0.12 (+0.05 to +0.19)`, where the interval's level is known. */
export const inShort = (difference: Difference): string => `${signed(difference.mean)} (${between(difference)})`;

/** `+0.12 (95% interval +0.05 to +0.19)`. */
export const differenceInWords = (difference: Difference): string =>
  `${signed(difference.mean)} (95% interval ${between(difference)})`;

/** The two apart: `+0.12` and `+0.05 to +0.19`. */
export const shortly = (difference: Difference): { readonly mean: string; readonly interval: string } => ({
  mean: signed(difference.mean),
  interval: between(difference),
});

/** Side of 0 on which an interval lies; 0 where it holds 0. */
export function signOf({ low, high }: Difference): 1 | -1 | 0 {
  return low > 0 ? 1 : high < 0 ? -1 : 0;
}

/** Mean over seeds of what an entrant was measured by; null where it was not. */
export const meanFor = (
  { entrants }: Pick<Contest, 'entrants'>,
  id: string,
  of: 'area' | 'final' | 'heldOut' | 'toolOff',
): number | null => meanOf(entrants[id]?.[of] ?? []);
