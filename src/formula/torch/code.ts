/** Pieces of Python: a text, how tightly it binds, and which level's elements it has a value for. */
import type { Level } from '../levels';

/** Binding strength in Python: the smaller, the sooner brackets are needed. */
export const BINDS = {
  choice: 0,
  comparison: 4,
  either: 5,
  both: 6,
  sum: 7,
  product: 8,
  sign: 9,
  power: 10,
  atom: 11,
} as const;

export interface TorchCode {
  readonly text: string;
  readonly binds: number;
  readonly level: Level;
  /** A condition is Python's bool or a tensor of them, not a number. */
  readonly isCondition: boolean;
}

export const wrapped = ({ text, binds }: TorchCode, least: number): string => (binds < least ? `(${text})` : text);

export const atom = (text: string, level: Level, isCondition = false): TorchCode => ({
  text,
  binds: text.startsWith('-') ? BINDS.sign : BINDS.atom,
  level,
  isCondition,
});

export const call = (name: string, given: readonly string[], level: Level, after = ''): TorchCode =>
  atom(`${name}(${given.join(', ')})${after}`, level);

/** A number as Python reads it. */
export const literal = (value: number): string => {
  if (Number.isNaN(value)) return 'math.nan';
  if (!Number.isFinite(value)) return value > 0 ? 'math.inf' : '-math.inf';
  return Object.is(value, -0) ? '-0.0' : String(value);
};

export const asFloat = (text: string): string => {
  if (/^-?\d+$/.test(text)) return `${text}.0`;
  return /^-?[\d.]+(e[-+]?\d+)?$/.test(text) ? text : `float(${text})`;
};

/** Functions of Python's numbers. */
export function onNumbers(name: string, codes: readonly TorchCode[]): TorchCode {
  const [x, low, high] = codes.map(({ text }) => text);
  const text: Readonly<Record<string, string>> = {
    abs: `abs(${x})`,
    sign: `float((${x} > 0) - (${x} < 0))`,
    sigmoid: `1 / (1 + math.exp(-(${x})))`,
    relu: `max(${x}, 0)`,
    softplus: `max(${x}, 0) + math.log1p(math.exp(-abs(${x})))`,
    min: `min(${codes.map((one) => one.text).join(', ')})`,
    max: `max(${codes.map((one) => one.text).join(', ')})`,
    clip: `min(max(${x}, ${low}), ${high})`,
    detach: x,
  };
  const code = text[name] ?? `math.${name}(${x})`;
  return atom(/^[\w.]+\(.*\)$/.test(code) && name !== 'softplus' ? code : `(${code})`, 'constant');
}
