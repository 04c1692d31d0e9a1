/** A run's result as JSON, or its curves as CSV, in pieces: those of a long run are longer than a text can be. */
import { METRICS } from '../../rl/measure/metrics';
import type { RunResult } from '../../train/result/result';

/** Characters of a piece, about. */
const PIECE = 2 ** 20;
/** Mark in the place of a curve; no text of an experiment has such a sign. */
const MARK = '\u0000curve';

export const resultPieces = (result: RunResult): AsyncGenerator<string> => pieces(texts(result));

/**
 * CSV without its last line break: a row for each arm, seed and update. Its columns are those three and the metrics that some
 * member has a number of, under their names in the JSON; what was not measured is empty.
 */
export const csvPieces = (curves: ResultCurves): AsyncGenerator<string> => pieces(rows(curves));

async function* pieces(parts: Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  for (const text of parts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* texts(result: RunResult): Generator<string> {
  const curves: readonly object[] = result.arms.flatMap(({ seeds }) => seeds.map(({ curve }) => curve));
  const marked = new Set(curves);
  const frame = JSON.stringify(result, (_, value) => (marked.has(value) ? MARK : value)).split(JSON.stringify(MARK));
  for (const [index, text] of frame.entries()) {
    if (index > 0) yield* members(curves[index - 1] as Record<string, unknown>);
    yield text;
  }
}

/** An object, value by value. */
function* members(object: Record<string, unknown>): Generator<string> {
  for (const [index, key] of Object.keys(object).entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(key)}:${JSON.stringify(object[key])}`;
  }
  yield '}';
}

/** Curves of arms and seeds: all that a table or a picture is made of, of a run here or out of a file. */
export interface ResultCurves {
  readonly arms: readonly {
    readonly id: string;
    readonly seeds: readonly { readonly seed: number; readonly curve: MemberCurve }[];
  }[];
}

type MemberCurve = Readonly<Record<string, readonly (number | null)[] | undefined>>;

/** Members, each with its number of updates, and the metrics that some of them has a number of. */
export function measurementsOf({ arms }: ResultCurves) {
  const members = arms.flatMap(({ id, seeds }) =>
    seeds.map(({ seed, curve }) => ({ id, seed, curve, updates: curve.successRate?.length ?? 0 })),
  );
  const isMeasured = (values: readonly (number | null)[] = []): boolean => values.some((value) => value !== null);
  return { members, metrics: METRICS.filter((metric) => members.some(({ curve }) => isMeasured(curve[metric]))) };
}

function* rows(curves: ResultCurves): Generator<string> {
  const { members, metrics } = measurementsOf(curves);
  yield ['arm', 'seed', 'update', ...metrics].join();
  for (const { id, seed, curve, updates } of members) {
    const columns = metrics.map((metric) => curve[metric] ?? []);
    for (let update = 0; update < updates; update++)
      yield `\n${[id, seed, update, ...columns.map((column) => column[update])].join()}`;
  }
}
