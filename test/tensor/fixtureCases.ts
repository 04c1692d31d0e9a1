/** Reads test/fixtures: numbers that other projects' own code gave. Their layout is described in test/fixtures/README.md. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

type Scalar = number | 'NaN' | 'Infinity' | '-Infinity';

interface FixtureArray {
  readonly shape: readonly number[];
  readonly dtype: 'f32' | 'f64' | 'i32';
  readonly data: readonly Scalar[];
}

interface FixtureJson {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, FixtureArray>>;
  readonly expected: Readonly<Record<string, FixtureArray | Scalar>> & { readonly metrics?: Record<string, Scalar> };
  readonly recommended?: Readonly<Record<string, FixtureArray | Scalar>>;
  readonly tags?: readonly string[];
}

export interface FixtureCase {
  readonly name: string;
  readonly tags: readonly string[];
  /** The first of these settings that the case has, as a number. */
  setting(...names: readonly string[]): number | undefined;
  /** A setting as it is. */
  raw(name: string): unknown;
  has(input: string): boolean;
  shape(input: string): readonly number[];
  input(name: string): Float32Array;
  /** What is expected, or what is recommended where the other project gave no number. */
  expected(name: string): Float64Array | undefined;
  metric(name: string): number | undefined;
}

export function fixtures(file: string): readonly FixtureCase[] {
  const text = readFileSync(new URL(`../fixtures/${file}.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as FixtureJson[]).map((json): FixtureCase => {
    const array = (value: FixtureArray | Scalar | undefined): Float64Array | undefined => {
      if (value === undefined) return undefined;
      return Float64Array.from(typeof value === 'object' ? value.data : [value], Number);
    };
    const find = (name: string): FixtureArray => {
      const input = json.inputs[name];
      if (input === undefined) throw new Error(`${json.name} has no input ${name}.`);
      return input;
    };
    return {
      name: json.name,
      tags: json.tags ?? [],
      setting: (...names) => names.map((name) => json.params[name]).find((value) => typeof value === 'number'),
      raw: (name) => json.params[name],
      has: (name) => name in json.inputs,
      shape: (name) => find(name).shape,
      input: (name) => Float32Array.from(find(name).data, Number),
      expected: (name) => {
        const value = array(json.expected[name]);
        return value?.some(Number.isNaN) ? (array(json.recommended?.[name]) ?? value) : value;
      },
      metric: (name) => {
        const value = json.expected.metrics?.[name];
        return value === undefined ? undefined : Number(value);
      },
    };
  });
}

/** |got − expected| ≤ atol + rtol·|expected| everywhere; an infinity must be met exactly. */
export function expectClose(
  what: string,
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: { readonly atol: number; readonly rtol: number },
): void {
  const wrong: string[] = [];
  for (let i = 0; i < expected.length; i++) {
    const [value, want] = [got[i] as number, expected[i] as number];
    const close = value === want || Math.abs(value - want) <= tolerance.atol + tolerance.rtol * Math.abs(want);
    if (!close) wrong.push(`${what}[${i}] is ${value}, expected ${want}`);
  }
  expect(got.length, `length of ${what}`).toBe(expected.length);
  expect(wrong).toEqual([]);
}
