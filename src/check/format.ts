/**
 * Fixture files: numbers computed by other projects' own code, one independent case an entry. The format is described in
 * docs/fixtures.md. Reading a file validates it. Adapters turn a case into a list of CheckedOutput.
 */
import { excerpt, LabError } from '../foundation/errors';
import { isJson, type Json } from '../foundation/json';

export type Scalar = number | 'NaN' | 'Infinity' | '-Infinity';

export interface FixtureArray {
  readonly shape: readonly number[];
  readonly dtype: 'f32' | 'f64' | 'i32';
  readonly data: readonly Scalar[];
}

export type Expectation = FixtureArray | Scalar;

export interface Fixture {
  readonly name: string;
  readonly source: { readonly repo: string; readonly path: string; readonly commit: string; readonly function: string };
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, FixtureArray>>;
  readonly expected: Readonly<Record<string, Expectation>> & {
    readonly metrics?: Readonly<Record<string, Scalar>>;
    /** Means of the values that a formula shows, over its tokens. */
    readonly shows?: Readonly<Record<string, Scalar>>;
  };
  readonly recommended?: Readonly<Record<string, Expectation>>;
  /** Exception and its message, where the other project raises instead of returning. */
  readonly error?: { readonly type: string; readonly message: string };
  readonly tags?: readonly string[];
  readonly notes?: string;
}

export type Family = 'masked_logprob' | 'advantage' | 'policy_loss' | 'kl' | 'echo' | 'formula';

/** One output of a case. Required: |got − expected| ≤ atol + rtol·|expected|; non-finite values are equal. */
export interface CheckedOutput {
  /** Name of the output in the case. */
  readonly output: string;
  readonly got: ArrayLike<number>;
  readonly expected: ArrayLike<number>;
  readonly atol: number;
  readonly rtol: number;
  /** True if an expected 0 must be met exactly. */
  readonly exactZeros?: boolean;
}

/** Limits of a file: enough for any useful case, too little to fill a machine's memory. */
export const FIXTURE_LIMITS = {
  bytes: 64 * 2 ** 20,
  cases: 10_000,
  elements: 2 ** 22,
  axes: 8,
  outputs: 64,
} as const;

/** The cases of a file. Throws LabError 'invalid-fixture' naming the case and its fault. */
export function parseFixtures(text: string): readonly Fixture[] {
  const json = parseJson(text);
  if (!Array.isArray(json)) throw invalid('The file is no list of cases');
  if (json.length === 0) throw invalid('The file holds no cases');
  if (json.length > FIXTURE_LIMITS.cases) {
    throw invalid(`The file holds ${json.length} cases, more than ${FIXTURE_LIMITS.cases}`);
  }
  return json.map((entry: unknown, i) => readCase(entry, `Case ${i + 1}`));
}

/** Error for a fixture that cannot be run: an unknown setting, shapes that do not fit. */
export function invalid(what: string, cause?: unknown): LabError {
  return new LabError('invalid-fixture', `${excerpt(what, 300)}.`, 'The format is described in docs/fixtures.md.', {
    cause,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('The file is not JSON', cause);
  }
}

function readObject(value: unknown, what: string): Json {
  if (!isJson(value)) throw invalid(`${what} is no object`);
  return value;
}

function readString(value: unknown, what: string): string {
  if (typeof value !== 'string') throw invalid(`${what} is no text`);
  return value;
}

function readCase(entry: unknown, where: string): Fixture {
  const json = readObject(entry, where);
  const name = readString(json.name, `The name of ${where.toLowerCase()}`);
  const of = (part: string): string => `${part} of ${name}`;
  const source = readObject(json.source, of('“source”'));
  const { error, error_message: message, metrics, shows, ...expected } = readObject(json.expected, of('“expected”'));
  return {
    name,
    source: {
      repo: readString(source.repo, of('The repository')),
      // Empty where the case calls a project's functions and copies no file.
      path: readString(source.path ?? '', of('The path')),
      commit: readString(source.commit ?? '', of('The commit')),
      function: readString(source.function, of('The function')),
    },
    params: readObject(json.params, of('“params”')),
    inputs: readEach(json.inputs, of('inputs'), readArray),
    expected: {
      ...readEach(expected, of('expected'), readExpectation),
      ...(metrics === undefined ? {} : { metrics: readEach(metrics, of('metrics'), readScalar) }),
      ...(shows === undefined ? {} : { shows: readEach(shows, of('shown values'), readScalar) }),
      // A mapped type cannot say "every key but these".
    } as Fixture['expected'],
    ...(json.recommended === undefined
      ? {}
      : { recommended: readEach(json.recommended, of('recommended'), readExpectation) }),
    ...(error === undefined
      ? {}
      : { error: { type: readString(error, of('The error')), message: message === undefined ? '' : String(message) } }),
    ...(json.tags === undefined ? {} : { tags: readTags(json.tags, of('“tags”')) }),
    ...(json.notes === undefined || json.notes === null ? {} : { notes: readString(json.notes, of('“notes”')) }),
  };
}

function readEach<T>(value: unknown, what: string, read: (value: unknown, what: string) => T): Record<string, T> {
  const entries = Object.entries(readObject(value, `“${what}”`));
  if (entries.length > FIXTURE_LIMITS.outputs) throw invalid(`There are ${entries.length} ${what}`);
  return Object.fromEntries(entries.map(([name, entry]) => [name, read(entry, `“${name}” among the ${what}`)]));
}

function readTags(value: unknown, what: string): string[] {
  if (!Array.isArray(value)) throw invalid(`${what} is no list`);
  return value.map((tag) => readString(tag, what));
}

const NON_FINITE: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];
const isScalar = (value: unknown): value is Scalar => typeof value === 'number' || NON_FINITE.includes(value);

function readScalar(value: unknown, what: string): Scalar {
  if (!isScalar(value)) throw invalid(`${what} is no number`);
  return value;
}

const readExpectation = (value: unknown, what: string): Expectation =>
  isJson(value) ? readArray(value, what) : readScalar(value, what);

const DTYPES: readonly unknown[] = ['f32', 'f64', 'i32'];

function readArray(value: unknown, what: string): FixtureArray {
  const { shape, dtype, data } = readObject(value, what);
  if (!DTYPES.includes(dtype)) throw invalid(`${what} is of the type ${JSON.stringify(dtype)}, not f32, f64 or i32`);
  const isShape =
    Array.isArray(shape) && shape.length <= FIXTURE_LIMITS.axes && shape.every((n) => Number.isInteger(n) && n >= 0);
  if (!isShape) throw invalid(`The shape of ${what} is no list of at most ${FIXTURE_LIMITS.axes} whole numbers`);
  const size = (shape as number[]).reduce((a, b) => a * b, 1);
  if (size > FIXTURE_LIMITS.elements) {
    throw invalid(`${what} has ${size} elements, more than ${FIXTURE_LIMITS.elements}`);
  }
  if (!Array.isArray(data) || data.length !== size) {
    const given = Array.isArray(data) ? `${data.length} elements` : 'no list';
    throw invalid(`${what} has the shape [${shape}] and ${given} of data`);
  }
  const wrong = data.findIndex((entry) => !isScalar(entry) || (dtype === 'i32' && !Number.isInteger(entry)));
  if (wrong >= 0) throw invalid(`Element ${wrong} of ${what} is ${JSON.stringify(data[wrong])}`);
  return { shape: shape as number[], dtype: dtype as FixtureArray['dtype'], data: data as Scalar[] };
}
