/** The numbers of a fixture. */
import { type Expectation, type Fixture, type FixtureArray, invalid } from './format';

/** As the other project saw them: float32 inputs rounded to float32. */
export function inputOf(fixture: Fixture, name: string): Float64Array {
  const array = arrayOf(fixture, name);
  const values = Float64Array.from(array.data, Number);
  return array.dtype === 'f32' ? values.map(Math.fround) : values;
}

export function shapeOf(fixture: Fixture, name: string): readonly number[] {
  return arrayOf(fixture, name).shape;
}

function arrayOf(fixture: Fixture, name: string): FixtureArray {
  const array = fixture.inputs[name];
  if (array === undefined) throw invalid(`${fixture.name} has no input “${name}”`);
  return array;
}

/** The first of these settings that the case has, as a number; `otherwise` where it has none of them. */
export function settingOf(fixture: Fixture, names: readonly string[], otherwise?: number): number {
  for (const name of names) {
    const value = fixture.params[name];
    if (typeof value === 'number') return value;
  }
  if (otherwise === undefined)
    throw invalid(`${fixture.name} has no number “${names.join('” or “')}” among its params`);
  return otherwise;
}

const valuesOf = (expectation: Expectation): Float64Array =>
  Float64Array.from(typeof expectation === 'object' ? expectation.data : [expectation], Number);

/** What a case expects of an output, or what is recommended where the other project itself gives NaN; undefined for an output it does not have. */
export function expectationOf(fixture: Fixture, name: string): Float64Array | undefined {
  const expected = fixture.expected[name];
  if (expected === undefined) return undefined;
  const [values, recommended] = [valuesOf(expected), fixture.recommended?.[name]];
  return recommended !== undefined && values.some(Number.isNaN) ? valuesOf(recommended) : values;
}
