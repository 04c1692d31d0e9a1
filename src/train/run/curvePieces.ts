/**
 * Curves of a run in pieces, kept beside its states: each piece holds some updates in a row, as safetensors with a
 * checksum. Pieces are read in order; one that begins before the end of the piece before it replaces those updates.
 */
import * as v from 'valibot';
import { inPresentOrder, METRICS } from '../../rl/measure/metrics';
import type { FloatData } from '../../tensor/backend';
import { foreign, packSafetensors, unpackSafetensors } from './keep/safetensors';

/** Measurements of one update. */
export interface UpdateMeasurements {
  /** Metrics of the members, [P, METRICS.length]. */
  readonly metrics: ArrayLike<number>;
  /** Seconds of training of the update. */
  readonly seconds: number;
  /** Tokens of its trajectories, all members. */
  readonly tokens: number;
}

interface Curves {
  /** [updates, P, METRICS.length], flat; NaN where a piece was damaged. */
  readonly values: Float32Array;
  /** Training time of each update, [updates]; NaN where it is not known. */
  readonly seconds: Float32Array;
  /** Number of updates that no whole piece holds. */
  readonly missing: number;
}

const FORMAT = 'unmask-curves-1';
const Count = v.pipe(v.string(), v.parseJson(), v.number(), v.integer(), v.minValue(0));
const PieceSchema = v.strictObject({
  checksum: v.string(),
  format: v.literal(FORMAT),
  from: Count,
  updates: Count,
  metrics: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
});

function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Curves with columns `metrics` as [updates, members, METRICS.length], flat. Throws LabError where their length is another. */
export function readCurves(
  kept: FloatData,
  metrics: readonly string[],
  updates: number,
  members: number,
): Float32Array {
  const isOfThem = kept.length === updates * members * metrics.length;
  // Without a column, no numbers are of any number of updates.
  if (!(kept instanceof Float32Array) || !isOfThem || (metrics.length === 0 && updates > 0)) {
    throw foreign(`The checkpoint’s curves are not those of ${updates} updates of ${members} members.`);
  }
  return finish(inPresentOrder(kept, metrics, updates * members));
}

/** Piece of some updates in a row, the first of them `from`. */
export function encodePiece(from: number, rows: readonly UpdateMeasurements[]): Uint8Array<ArrayBuffer> {
  const size = rows[0]?.metrics.length ?? 0;
  const values = new Float32Array(rows.length * size);
  rows.forEach(({ metrics }, i) => {
    values.set(metrics, i * size);
  });
  const seconds = Float32Array.from(rows, (row) => row.seconds);
  const [updates, metrics] = [JSON.stringify(rows.length), JSON.stringify(METRICS)];
  return packSafetensors({ format: FORMAT, from: JSON.stringify(from), updates, metrics }, [
    { name: 'curves', shape: [rows.length, size / METRICS.length, METRICS.length], values },
    { name: 'seconds', shape: [rows.length], values: seconds },
  ]);
}

/** Curves of the first `updates` updates, out of pieces in order. Damaged pieces are missing. */
export function joinPieces(pieces: readonly Uint8Array[], updates: number, members: number): Curves {
  const size = members * METRICS.length;
  const values = new Float32Array(updates * size).fill(Number.NaN);
  const seconds = new Float32Array(updates).fill(Number.NaN);
  const isThere = new Uint8Array(updates);
  for (const bytes of pieces) {
    const piece = readPiece(bytes, members);
    if (piece === null) continue;
    const { from } = piece;
    const count = Math.min(piece.seconds.length, updates - from);
    if (count <= 0) continue;
    values.set(piece.values.subarray(0, count * size), from * size);
    seconds.set(piece.seconds.subarray(0, count), from);
    isThere.fill(1, from, from + count);
  }
  return { values, seconds, missing: isThere.filter((one) => one === 0).length };
}

/** Measurements of some updates in a row, the first of them `from`. */
type Piece = Omit<Curves, 'missing'> & { readonly from: number };

/** A piece; null if it is damaged or of another population. */
export function readPiece(bytes: Uint8Array, members: number): Piece | null {
  try {
    const { metadata, array } = unpackSafetensors(bytes);
    const { from, updates, metrics } = v.parse(PieceSchema, metadata);
    const seconds = array('seconds');
    if (!(seconds instanceof Float32Array) || seconds.length !== updates) throw foreign('The piece lacks its seconds.');
    return { from, values: readCurves(array('curves'), metrics, updates, members), seconds };
  } catch {
    return null;
  }
}
