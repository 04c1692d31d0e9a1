/**
 * Result of a run, small enough for a link: mean curves at a few updates, each seed's area under the success curve, and a
 * digest that shows whether another run gave the same bits. Encoded as JSON, deflated, in base64url.
 */
import * as v from 'valibot';
import { fromBase64url, toBase64url } from '../../foundation/base64url';
import { isPrintable, LabError } from '../../foundation/errors';
import { BACKEND_KINDS, type MachineEntry, MOST_MACHINES, tellingEntries } from '../machines';
import { CommitSchema, type Computed, NumericsSchema, VersionSchema } from '../provenance';
import { LIMITS } from '../settings/tables';
import { predictionInterval, summarise } from './statistics';

/** Longest result in a link, in characters: some chat programs damage longer links. */
export const LONGEST_RESULT = 6000;
const LONGEST_JSON = 262_144;
export const MOST_POINTS = 64;
/** Relative error of a number rounded to three digits, and a little for its own rounding. */
const ROUNDING = 0.00501;

const text = (longest: number) => v.pipe(v.string(), v.maxLength(longest), v.check(isPrintable));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));
/** The largest number that a measurement, in float32, can be: sums of them stay finite. */
const LARGEST = 3.5e38;
const measured = v.nullable(v.pipe(v.number(), v.minValue(-LARGEST), v.maxValue(LARGEST)));
/** List whose length is checked first: a few deflated bytes unfold to many items. */
const list = <const S extends v.GenericSchema>(least: number, most: number, item: S) =>
  v.pipe(v.array(v.unknown()), v.minLength(least), v.maxLength(most), v.array(item));

/** Part of a run: its first update, backend and code. Numerics 0 and empty texts mean unknown. */
const PartSchema = v.strictTuple([
  count,
  v.picklist(BACKEND_KINDS),
  v.union([v.literal(0), NumericsSchema]),
  v.union([v.literal(''), VersionSchema]),
  v.union([v.literal(''), CommitSchema]),
]);

const ResultSchema = v.pipe(
  v.strictObject({
    updates: count,
    device: text(200),
    /** Note of the sender on the result. */
    note: v.exactOptional(text(500)),
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
    /** Machines of the run; absent in results from before they were kept. */
    by: v.exactOptional(list(1, MOST_MACHINES, PartSchema)),
    /** Updates of the curves' points. */
    at: list(0, MOST_POINTS, count),
    arms: list(
      1,
      LIMITS.arms,
      v.strictObject({
        id: text(32),
        name: text(60),
        /** Area under the success curve, one number a seed. */
        area: list(1, 32, measured),
        successRate: list(0, MOST_POINTS, measured),
        observationCrossEntropy: list(0, MOST_POINTS, measured),
      }),
    ),
  }),
  v.check(
    ({ updates, at }) => at.every((update, i) => update <= updates && update > (at[i - 1] ?? -1)),
    'Updates ascend.',
  ),
  v.check(({ arms }) => new Set(arms.map(({ id }) => id)).size === arms.length, 'An arm is there once.'),
  v.check(
    ({ at, arms }) =>
      arms.every((arm) => arm.successRate.length === at.length && arm.observationCrossEntropy.length === at.length),
    'Every curve has a value at each update.',
  ),
);

export type SharedResult = v.InferOutput<typeof ResultSchema>;

/** Machines of a run as a result has them; nothing where none is known. */
export function writersOf(machines: readonly MachineEntry[]): Pick<SharedResult, 'by'> {
  const entries = tellingEntries(machines);
  if (entries.every(({ code }) => code === undefined)) return {};
  const by = entries.map(({ update, backend, code }): v.InferOutput<typeof PartSchema> => {
    const { numerics = 0, version = '', commit = '' } = code ?? {};
    return [update, backend, numerics, version, commit];
  });
  return { by };
}

/** Code that computed a result, part by part; empty where that was not kept. */
export function computedBy({ by = [] }: Pick<SharedResult, 'by'>): Computed[] {
  return by.map(([, backend, numerics, version, commit]) =>
    numerics === 0 ? { backend } : { backend, code: { version, numerics, ...(commit === '' ? {} : { commit }) } },
  );
}

/** Result as text. `make` returns it with at most that many points; as many are taken as fit. Throws LabError 'limits'. */
export async function encodeResult(make: (points: number) => SharedResult): Promise<string> {
  let shortest = '';
  for (let points = MOST_POINTS; points >= 4; points /= 2) {
    shortest = toBase64url(
      await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(make(points)))),
    );
    if (shortest.length <= LONGEST_RESULT) return shortest;
  }
  throw new LabError(
    'limits',
    `The result does not fit into a link: it needs ${shortest.length} characters of ${LONGEST_RESULT}.`,
    'Share the report or the data as a file.',
  );
}

/** Throws LabError 'invalid-link' for anything that encodeResult did not write. Results come from anyone. */
export async function decodeResult(encoded: string): Promise<SharedResult> {
  try {
    if (encoded.length > LONGEST_RESULT) throw new RangeError(`It has ${encoded.length} characters.`);
    const bytes = await through(new DecompressionStream('deflate-raw'), fromBase64url(encoded), LONGEST_JSON);
    return v.parse(ResultSchema, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    const advice = 'The settings are as they were sent; ask for the link again, or run the experiment without it.';
    throw new LabError('invalid-link', 'The result that came with this link cannot be read.', advice, { cause });
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

async function through(stream: GenericTransformStream, bytes: Bytes, most = Number.POSITIVE_INFINITY): Promise<Bytes> {
  const reader = new Blob([bytes]).stream().pipeThrough<Uint8Array>(stream).getReader();
  const parts: Bytes[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    // A few bytes can inflate to gigabytes.
    if (size > most) throw new RangeError(`It unfolds to more than ${most} bytes.`);
    parts.push(Uint8Array.from(next.value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Two FNV-1a hashes of the bytes of float32 numbers, 16 hexadecimal digits: the same for the same bits. */
export class Digest {
  #first = 0x811c9dc5;
  #second = 0x01000193;

  add(numbers: Float32Array): void {
    let [first, second] = [this.#first, this.#second];
    for (const byte of new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)) {
      first = Math.imul(first ^ byte, 0x01000193);
      second = Math.imul(second ^ byte, 0x01000197);
    }
    [this.#first, this.#second] = [first, second];
  }

  get text(): string {
    return [this.#first, this.#second].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

export interface Reproduction {
  /** Outcome of the comparison; 'altered': the digest is this run's, and the numbers beside it are not. */
  readonly outcome: 'exact' | 'altered' | 'within' | 'outside' | 'unknown';
  /** Arms whose mean lies outside the band, with both means. */
  readonly outside: readonly { readonly name: string; readonly theirs: number; readonly ours: number }[];
}

/**
 * Agreement of a second run with the first: exact if digest and numbers are equal; else within if every arm's mean area lies in
 * the 95% prediction interval of the first run's seeds for as many further seeds. `ours`: result of the
 * second run, drawn at as many points.
 */
export function judgeReproduction(sent: SharedResult, ours: SharedResult): Reproduction {
  if (sent.digest === ours.digest) return { outcome: isSame(sent, ours) ? 'exact' : 'altered', outside: [] };
  const judged = sent.arms.map(({ name, area }, arm) => {
    const summary = summarise(ours.arms[arm]?.area ?? []);
    return { name, band: predictionInterval(area, summary.seeds), theirs: summarise(area).mean, ours: summary.mean };
  });
  const outside = judged.flatMap(({ name, band, theirs, ours: own }) =>
    band !== null && theirs !== null && own !== null && (own < band[0] || own > band[1])
      ? [{ name, theirs, ours: own }]
      : [],
  );
  if (outside.length > 0) return { outcome: 'outside', outside };
  return {
    outcome: judged.every(({ band, ours: own }) => band !== null && own !== null) ? 'within' : 'unknown',
    outside,
  };
}

/** A digest can be copied onto other numbers, so they are compared too: areas to the bit, curves as far as three digits tell. */
function isSame(sent: SharedResult, ours: SharedResult): boolean {
  const exactOf = ({ at, arms }: SharedResult): (number | null)[][] => [at, ...arms.map(({ area }) => area)];
  const curvesOf = ({ arms }: SharedResult): (number | null)[] =>
    arms.flatMap(({ successRate, observationCrossEntropy }) => [...successRate, ...observationCrossEntropy]);
  const isNear = (a: number | null, b: number | null | undefined): boolean =>
    a === b || (a !== null && b != null && Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)));
  const [theirs, own] = [curvesOf(sent), curvesOf(ours)];
  return (
    JSON.stringify(exactOf(sent)) === JSON.stringify(exactOf(ours)) &&
    theirs.length === own.length &&
    theirs.every((value, i) => isNear(value, own[i]))
  );
}
