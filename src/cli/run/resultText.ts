/** A run's result as JSON in pieces: that of a long run is longer than a text can be. */
import type { RunResult } from './result';

/** Characters of a piece, about. */
const PIECE = 2 ** 20;
/** Stands for a curve; no text of an experiment has such a sign. */
const MARK = '\u0000curve';

export async function* resultPieces(result: RunResult): AsyncGenerator<string> {
  let piece = '';
  for (const text of texts(result)) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* texts(result: RunResult): Generator<string> {
  const curves: readonly object[] = result.arms.flatMap(({ seeds }) => seeds.map(({ curve }) => curve));
  const all = new Set(curves);
  const frame = JSON.stringify(result, (_, value) => (all.has(value) ? MARK : value)).split(JSON.stringify(MARK));
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
