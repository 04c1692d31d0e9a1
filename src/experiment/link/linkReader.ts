/**
 * The fields of a link, each taken once. It knows nothing of experiments, only keys, values and what a hostile fragment
 * may contain.
 */
import { excerpt, LabError } from '../../foundation/errors';
import { isChoice, type Setting, type SettingValue } from '../settings/setting';
import { type TextKind, unpackText } from './packedText';

/** Longest fragment read, in characters; the longest valid experiment needs three fifths of it. */
export const LONGEST_LINK = 163_840;

const DECIMAL = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

export class LinkReader {
  readonly #fields = new Map<string, string>();

  constructor(fragment: string) {
    const text = fragment.startsWith('#') ? fragment.slice(1) : fragment;
    if (text.length > LONGEST_LINK) {
      throw new LabError(
        'invalid-link',
        `This link has ${text.length} characters; the lab reads at most ${LONGEST_LINK}.`,
        'Ask for the experiment as a file.',
      );
    }
    for (const field of text.split('&')) if (field !== '') this.#add(field);
  }

  #add(field: string): void {
    const equals = field.indexOf('=');
    if (equals < 1) refuse(field, 'has no value', 'Each part of a link is key=value, and ampersands part them.');
    const key = unescapeText(field.slice(0, equals), field);
    if (this.#fields.has(key)) refuse(key, 'is there twice', 'Remove one of the two.');
    this.#fields.set(key, unescapeText(field.slice(equals + 1), key));
  }

  /** True if no field is left. */
  get isEmpty(): boolean {
    return this.#fields.size === 0;
  }

  /** The value of a key, which then counts as read; undefined if the link does not have it. */
  take(key: string): string | undefined {
    const value = this.#fields.get(key);
    this.#fields.delete(key);
    return value;
  }

  /** Keys not yet taken that begin so, in the link's order. */
  keysFrom(prefix: string): readonly string[] {
    return [...this.#fields.keys()].filter((key) => key.startsWith(prefix));
  }

  /** Throws for a key nobody has taken. */
  refuseTheRest(): void {
    for (const key of this.#fields.keys()) {
      refuse(key, 'is no setting of this experiment', 'Correct its spelling or remove it from the link.');
    }
  }
}

/** Value of a field, by its setting's type. Limits are checked later, in parse.ts. */
export function readSettingText(key: string, text: string, setting: Setting): SettingValue {
  if (setting.type === 'choice') {
    if (isChoice(setting, text)) return text;
    return refuse(key, `cannot be “${excerpt(text)}”`, `Write one of: ${setting.choices.join(', ')}.`);
  }
  if (setting.type === 'file') return text;
  if (setting.type !== 'boolean') return readNumber(key, text);
  if (text !== 'true' && text !== 'false') refuse(key, `cannot be “${excerpt(text)}”`, 'Write true or false.');
  return text === 'true';
}

export const isNumber = (text: string): boolean => DECIMAL.test(text) && Number.isFinite(Number(text));

export function readNumber(key: string, text: string): number {
  if (isNumber(text)) return Number(text);
  return refuse(key, `has “${excerpt(text)}” where a number belongs`, 'Write a decimal number such as 0.2 or 1e-4.');
}

/** Text without percent-encoding. A plus sign becomes a space, as in forms: some programs write links that way. */
function unescapeText(text: string, key: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse(key, 'has a broken percent sign', 'Copy the whole link again, or write a percent sign as %25.');
  }
}

/** Throws LabError 'invalid-link': the field, its fault, and advice. */
export function refuse(key: string, what: string, advice: string): never {
  throw new LabError('invalid-link', `In this link, “${excerpt(key, 80)}” ${what}.`, advice);
}

/** A packed text; `what` names it in words. */
export function readPacked(key: string, text: string, what: string, kind?: TextKind): string {
  try {
    return unpackText(text, kind);
  } catch (cause) {
    const why = cause instanceof RangeError ? ` ${cause.message}` : '';
    return refuse(key, `holds ${what} that cannot be read.${why}`, 'Copy the whole link again.');
  }
}
