/**
 * Result of a run, small enough for a link: mean curves at a few updates, each seed's area under the success curve, and a
 * digest that shows whether another run gave the same bits. Encoded as JSON, deflated, in base64url.
 */
import * as v from 'valibot';
import { fromBase64url, toBase64url } from '../foundation/base64url';
import { LabError } from '../foundation/errors';
import { LIMITS } from './settings';
import { predictionInterval, summarise } from './statistics';

/** Longest result in a link, in characters: some chat programs damage longer links. */
export const LONGEST_RESULT = 6000;
const LONGEST_JSON = 262_144;
export const MOST_POINTS = 64;

const text = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));
const line = v.pipe(v.array(v.nullable(v.number())), v.maxLength(MOST_POINTS));

const ResultSchema = v.pipe(
  v.strictObject({
    updates: count,
    device: text(200),
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
    /** Updates of the curves' points. */
    at: v.pipe(v.array(count), v.maxLength(MOST_POINTS)),
    arms: v.pipe(
      v.array(
        v.strictObject({
          id: text(32),
          name: text(60),
          /** Area under the success curve, one number a seed. */
          area: v.pipe(v.array(v.nullable(v.number())), v.minLength(1), v.maxLength(32)),
          successRate: line,
          observationCrossEntropy: line,
        }),
      ),
      v.minLength(1),
      v.maxLength(LIMITS.arms),
    ),
  }),
  v.check(
    ({ at, arms }) =>
      arms.every((arm) => arm.successRate.length === at.length && arm.observationCrossEntropy.length === at.length),
    'Every curve has a value at each update.',
  ),
);

export type SharedResult = v.InferOutput<typeof ResultSchema>;

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
  readonly outcome: 'exact' | 'within' | 'outside' | 'unknown';
  /** Arms whose mean lies outside the band, with both means. */
  readonly outside: readonly { readonly name: string; readonly theirs: number; readonly ours: number }[];
}

/**
 * Agreement of a second run with the first: exact if the digests are equal; else within if every arm's mean area lies in
 * the 95% prediction interval of the first run's seeds for as many further seeds. `ours`: areas of the second run, by arm
 * and seed.
 */
export function judgeReproduction(
  sent: SharedResult,
  digest: string,
  ours: readonly (readonly (number | null)[])[],
): Reproduction {
  if (sent.digest === digest) return { outcome: 'exact', outside: [] };
  const judged = sent.arms.map(({ name, area }, arm) => {
    const own = summarise(ours[arm] ?? []);
    return { name, band: predictionInterval(area, own.seeds), theirs: summarise(area).mean, ours: own.mean };
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
