/** Shares in percent, for people. */

/** Whole percent, and one digit of what is less than one: `34%`, `0.3%`; a dash for a share that is undefined. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const value = 100 * share;
  return `${value > 0 && value < 1 ? Number(value.toPrecision(1)) : value.toFixed(0)}%`;
}

/** Percent with three digits, without zeros at the end: `33.3%`, `0.02%`. */
export const precisePercent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;
