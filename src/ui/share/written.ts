/** Texts of many pieces as files. */
import { inSlices } from '../../store/slices';

/** All pieces, between which the page may answer. */
export async function written(pieces: Generator<string>): Promise<Blob> {
  const parts: string[] = [];
  await inSlices(
    (function* collect() {
      for (const piece of pieces) yield parts.push(piece);
    })(),
  );
  return new Blob(parts);
}
