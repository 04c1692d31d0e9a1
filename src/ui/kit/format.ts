/** Numbers and names as the person reads them. Fixed numbers of digits where they move, so that nothing jumps. */

const MINUS = '−';

const signed = (text: string): string => text.replaceAll('-', MINUS);

/** Number with so many decimals. One that rounds to 0 has no sign. */
export function formatDecimals(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return signed(Number(text) === 0 ? text.replace('-', '') : text);
}

/** Number with its sign, that of a positive one too: `+0.30`, `−0.30`, `0.00`. */
export function formatSigned(value: number, decimals: number): string {
  const text = formatDecimals(value, decimals);
  return Number(text) > 0 ? `+${text}` : text;
}

/** Whole percent, so that it does not jump; `foundation/percent.ts` has those for a share that may be small. */
export function formatPercent(share: number): string {
  return `${formatDecimals(100 * share, 0)}%`;
}

/** Percent with one decimal, for shares that are small everywhere. */
export const formatSmallPercent = (share: number): string => `${formatDecimals(100 * share, 1)}%`;

/** Number with two decimals below 10, one below 100, none below 10,000; beyond, three digits and a power of ten. */
export function formatMeasured(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.005 || size >= 10_000)) return formatSetting(Number(value.toPrecision(2)));
  return formatDecimals(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/** A setting's value, exactly, in its shortest form: `0.001`, `1e-4`, `300`. */
export function formatSetting(value: number | boolean | string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return signed(value.toExponential().replace('e+', 'e'));
  return signed(String(value));
}

/** “1 arm”, “3 arms”. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function formatCount(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Tokens or updates a second: three digits at most move. */
export function formatRate(value: number): string {
  return value >= 100 ? formatCount(Number(value.toPrecision(3))) : value.toFixed(1);
}

/** Number that a person typed: decimal comma, the minus sign, spaces around. null when it is no number. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replaceAll(MINUS, '-').replace(',', '.');
  const value = Number(plain);
  return plain === '' || !Number.isFinite(value) ? null : value;
}

/** Words with a capital first letter. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
