/** Bytes as numbered lines of text; gzip is taken apart by itself, rows of Parquet are lines. Holds one line at a time. */

import { reasonOf } from '../foundation/errors';
import { rowsOfParquet } from './parquet';

/** Characters of one line; a longer one is told by number and passed over. */
export const LONGEST_LINE = 64 * 1024 * 1024;

export interface BatchLine {
  /** Number of the line, from 1. */
  readonly number: number;
  /** Text of the line; null if it is too long. */
  readonly text: string | null;
}

/** Kind of a file by its first bytes, if it is no text. */
export type Foreign = 'zip' | 'zstd' | 'binary';

/** Thrown at the first bytes of a file that holds no lines. */
export class ForeignFile extends Error {
  readonly kind: Foreign;

  constructor(kind: Foreign) {
    super(kind);
    this.kind = kind;
  }
}

/** Thrown where packed bytes end early or are damaged. */
export class DamagedFile extends Error {}

export async function* linesOf(bytes: AsyncIterable<Uint8Array>, longest = LONGEST_LINE): AsyncGenerator<BatchLine> {
  const { start, all } = await begun(bytes);
  if (startsWith(start, ...PARQUET)) yield* rowsOf(all);
  else yield* textLinesOf(startsWith(start, ...GZIP) ? gunzip(all) : all, longest);
}

async function* rowsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BatchLine> {
  let number = 0;
  try {
    for await (const text of rowsOfParquet(bytes)) yield { number: ++number, text };
  } catch (cause) {
    throw new DamagedFile(`it is damaged, or packed otherwise than with Snappy (${reasonOf(cause)})`, { cause });
  }
}

async function* textLinesOf(bytes: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<BatchLine> {
  const decoder = new TextDecoder();
  let number = 1;
  let text = '';
  let isOver = false;
  const take = (piece: string): void => {
    if (isOver || piece === '') return;
    isOver = text.length + piece.length > longest;
    text = isOver ? '' : text + piece;
  };
  for await (const chunk of bytes) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [index, piece] of pieces.entries()) {
      take(piece);
      if (index === pieces.length - 1) break;
      yield { number, text: isOver ? null : text };
      number++;
      text = '';
      isOver = false;
    }
  }
  take(decoder.decode());
  if (isOver || text !== '') yield { number, text: isOver ? null : text };
}

/** The first bytes, and all of them. Throws ForeignFile where they are no text. */
async function begun(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ start: Uint8Array; all: AsyncGenerator<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]();
  let start = new Uint8Array();
  while (start.length < LOOKED_AT) {
    const next = await source.next();
    if (next.done) break;
    const longer = new Uint8Array(start.length + next.value.length);
    longer.set(start);
    longer.set(next.value, start.length);
    start = longer;
  }
  const kind = foreign(start);
  if (kind !== null) throw new ForeignFile(kind);
  return { start, all: chained(start, source) };
}

async function* chained(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* gunzip(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isSourceBroken = false;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      } catch (cause) {
        isSourceBroken = true;
        throw cause;
      }
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
  const read = (): Promise<ReadableStreamReadResult<Uint8Array>> =>
    reader.read().catch((cause: unknown) => {
      throw isSourceBroken ? cause : new DamagedFile(reasonOf(cause), { cause });
    });
  try {
    for (let next = await read(); !next.done; next = await read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Bytes at the start that say what the file is: a zero among them is no text. */
const LOOKED_AT = 512;

const GZIP = [0x1f, 0x8b] as const;
const PARQUET = [0x50, 0x41, 0x52, 0x31] as const;

const startsWith = (bytes: Uint8Array, ...wanted: readonly number[]): boolean =>
  wanted.every((byte, at) => bytes[at] === byte);

function foreign(bytes: Uint8Array): Foreign | null {
  if (startsWith(bytes, ...GZIP) || startsWith(bytes, ...PARQUET)) return null;
  if (startsWith(bytes, 0x50, 0x4b, 3, 4)) return 'zip';
  if (startsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd)) return 'zstd';
  return bytes.subarray(0, LOOKED_AT).includes(0) ? 'binary' : null;
}
