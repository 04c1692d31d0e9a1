/** Numbers and settings of a fixture. */
import { type Expectation, type Fixture, type FixtureArray, invalid } from './format';

/** An input as the other project saw it: float32 rounded to float32. Throws unless it has one of `lengths`, if given. */
export function inputOf(fixture: Fixture, name: string, ...lengths: readonly number[]): Float64Array {
  const array = arrayOf(fixture, name);
  const { length } = array.data;
  if (lengths.length > 0 && !lengths.includes(length)) {
    throw invalid(`“${name}” of ${fixture.name} has ${length} numbers, not ${[...new Set(lengths)].join(' or ')}`);
  }
  const values = Float64Array.from(array.data, Number);
  return array.dtype === 'f32' ? values.map(Math.fround) : values;
}

/** Sizes of an input as a table: its last axis is the tokens T of a trajectory, all others together the trajectories B. */
export function tableOf(fixture: Fixture, name: string): readonly [B: number, T: number] {
  const { shape, data } = arrayOf(fixture, name);
  const T = shape.at(-1) ?? 1;
  if (data.length === 0) throw invalid(`“${name}” of ${fixture.name} holds no tokens`);
  return [data.length / T, T];
}

function arrayOf(fixture: Fixture, name: string): FixtureArray {
  const array = fixture.inputs[name];
  if (array === undefined) throw invalid(`${fixture.name} has no input “${name}”`);
  return array;
}

/** A setting as a number (infinities are texts in the file); undefined where null or absent. Throws for anything else. */
export function numberIn(fixture: Fixture, value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value;
  if (value === 'Infinity' || value === '-Infinity') return Number(value);
  throw invalid(`${fixture.name} has no number “${name}” among its params but ${JSON.stringify(value)}`);
}

/** The first of these settings that the case has, as a number; `otherwise` where it has none of them. */
export function settingOf(fixture: Fixture, names: readonly string[], otherwise?: number): number {
  for (const name of names) {
    const value = numberIn(fixture, fixture.params[name], name);
    if (value !== undefined) return value;
  }
  if (otherwise === undefined)
    throw invalid(`${fixture.name} has no number “${names.join('” or “')}” among its params`);
  return otherwise;
}

/**
 * Meaning of a setting that names one of several ways; true and false are names too. `otherwise` where it is null or absent.
 * Throws for an unknown name, rather than take it for a known one.
 */
export function choiceOf<Meaning>(
  fixture: Fixture,
  name: string,
  meanings: Readonly<Record<string, Meaning>>,
  otherwise?: Meaning,
): Meaning {
  const value = fixture.params[name] ?? null;
  if (value === null && otherwise !== undefined) return otherwise;
  if ((typeof value === 'string' || typeof value === 'boolean') && Object.hasOwn(meanings, String(value))) {
    return meanings[String(value)];
  }
  const known = Object.keys(meanings).join(', ');
  throw invalid(`${fixture.name} has the ${name} “${String(value)}”, which is not known; known are ${known}`);
}

const FLAG = { true: true, false: false } as const;

/** A setting that is on or off. */
export const flagOf = (fixture: Fixture, name: string, otherwise: boolean): boolean =>
  choiceOf<boolean>(fixture, name, FLAG, otherwise);

const valuesOf = (expectation: Expectation): Float64Array =>
  Float64Array.from(typeof expectation === 'object' ? expectation.data : [expectation], Number);

/** Expected values of an output, or the recommended ones where some expected are NaN; undefined where the case has none. */
export function expectationOf(fixture: Fixture, name: string): Float64Array | undefined {
  const expected = fixture.expected[name];
  if (expected === undefined) return undefined;
  const [values, recommended] = [valuesOf(expected), fixture.recommended?.[name]];
  return recommended !== undefined && values.some(Number.isNaN) ? valuesOf(recommended) : values;
}
