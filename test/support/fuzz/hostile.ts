// Inputs that nobody sent with good intent: JSON with parts that nobody expects there, links of odd parts, bytes changed.
import fc from 'fast-check';

/** JSON, as text: numbers beyond all, keys of prototypes, text that turns its surroundings round, lists of the wrong depth. */
const UNEXPECTED = [
  'null',
  'true',
  '-1',
  '0.5',
  '1e999',
  '-1e308',
  '1e-320',
  '2147483648',
  '9007199254740993',
  '""',
  '"\\u0000\\u001b[2J\\u202e"',
  '"__proto__"',
  `"${'x'.repeat(5000)}"`,
  '[]',
  '{}',
  '[[[[0]]]]',
  '{"__proto__":{"seeds":1}}',
  '{"length":4294967295}',
  `[${Array(300).fill('{}').join()}]`,
] as const;

const anyUnexpected = fc.constantFrom(...UNEXPECTED);

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  const inside = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return [path, ...inside.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

/** Sound JSON with one to three of its parts replaced by what nobody expects there, or left out. */
export function mutated(json: unknown): fc.Arbitrary<string> {
  const paths = pathsIn(json).slice(1);
  const change = fc.record({ path: fc.constantFrom(...paths), by: fc.option(anyUnexpected) });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(json);
    const marks = changes.map(({ path, by }, index) => {
      place(copy, path, by === null ? undefined : `mark ${index}`);
      return [`"mark ${index}"`, by ?? ''] as const;
    });
    return marks.reduce((text, [mark, by]) => text.replace(mark, () => by), JSON.stringify(copy));
  });
}

/** Where the path is still there. */
function place(json: unknown, path: Path, value: string | undefined): void {
  const parents = path.slice(0, -1);
  const parent = parents.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], json);
  if (typeof parent === 'object' && parent !== null) (parent as Record<string, unknown>)[path.at(-1) as string] = value;
}

/** The bytes with a few changed, and perhaps the end missing. */
export function damaged(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.record({ at: fc.nat(bytes.length - 9), by: fc.uint8Array({ minLength: 1, maxLength: 9 }) });
  const length = fc.oneof({ weight: 3, arbitrary: fc.constant(bytes.length) }, fc.nat(bytes.length));
  return fc.tuple(fc.array(change, { minLength: 1, maxLength: 4 }), length).map(([changes, end]) => {
    const copy = Uint8Array.from(bytes);
    for (const { at, by } of changes) copy.set(by, at);
    return copy.subarray(0, end);
  });
}

/** Text of the given parts in any order, mixed with any text. */
export function jumbled(parts: readonly string[]): fc.Arbitrary<string> {
  const part = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...parts) },
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  return fc.array(part, { maxLength: 60 }).map((chosen) => chosen.join(''));
}
