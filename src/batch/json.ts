/** Lines of JSON as programs write them: Python's NaN and Infinity too, and fields that nothing inherits. */
import type { Json } from '../foundation/json';

/** The value, with NaN and infinities as texts of that name. Throws SyntaxError. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!/NaN|Infinity/.test(text)) throw cause;
    return JSON.parse(quoteNonFinite(text));
  }
}

/** Python writes NaN, Infinity and -Infinity bare, which JSON does not have: they become texts. */
function quoteNonFinite(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      at++;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (letter === 'N' || letter === 'I' || letter === '-') {
      const word = ['NaN', 'Infinity', '-Infinity'].find((one) => text.startsWith(one, at));
      if (word === undefined) continue;
      pieces.push(text.slice(from, at), `"${word}"`);
      from = at + word.length;
      at = from - 1;
    }
  }
  return pieces.join('') + text.slice(from);
}

/** An object's own field, never one that it inherits; null counts as absent. */
export function field(record: Json, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined;
}

/** Value of the first of these fields that is there. */
export function firstField(record: Json, names: readonly string[]): { name: string; value: unknown } | null {
  for (const name of names) {
    const value = field(record, name);
    if (value !== undefined) return { name, value };
  }
  return null;
}

/** Elements, out of one list or a list that has one list in it, as tensors of one trajectory have; null for anything else. */
export function listOf(value: unknown): readonly unknown[] | null {
  if (!Array.isArray(value)) return null;
  return value.length === 1 && Array.isArray(value[0]) ? value[0] : value;
}

const NON_FINITE: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);
/** Trainers compute in single precision, where a larger number is infinite. */
const LARGEST = 3.5e38;

/** True for a value that means “no number”, and for a number that is too large. */
export const isNonFinite = (value: unknown): value is string | number =>
  NON_FINITE.has(value) || (typeof value === 'number' && Math.abs(value) > LARGEST);

/** A number, also out of true and false; NaN for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return isNonFinite(value) ? Number.NaN : value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Number.NaN;
}

/** Two 32-bit FNV-1a hashes of numbers and texts, as a key. */
export class Key {
  #low = 0x811c9dc5;
  #high = 0x01000193;

  add(value: number): void {
    this.#low = Math.imul(this.#low ^ value, 0x01000193);
    this.#high = Math.imul(this.#high ^ (value + 0x9e3779b9), 0x01000193);
    this.#high ^= this.#low >>> 15;
  }

  addText(text: string): void {
    for (let at = 0; at < text.length; at++) this.add(text.charCodeAt(at));
    this.add(-1);
  }

  toString(): string {
    return `${(this.#high >>> 0).toString(36)}-${(this.#low >>> 0).toString(36)}`;
  }
}
