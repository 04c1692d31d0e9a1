/** Texts of many pieces as files. */
import { inSlices } from '../../../foundation/slices';

/** Characters that are put into a file together: one that is made of many small pieces at once takes long to make. */
const CHUNK = 2 ** 17;

/** All pieces, between which the page may answer. */
export async function written(pieces: Iterable<string>): Promise<Blob> {
  return new Blob(await inSlices(chunksOf(pieces)));
}

function* chunksOf(pieces: Iterable<string>): Generator<void, Blob[]> {
  const chunks: Blob[] = [];
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length >= CHUNK) {
      chunks.push(new Blob([chunk]));
      chunk = '';
    }
    yield;
  }
  chunks.push(new Blob([chunk]));
  return chunks;
}
