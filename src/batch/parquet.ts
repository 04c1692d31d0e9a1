/** Rows of a Parquet file as lines of JSON. The package that reads it is loaded only where such a file is given. */
import { MIB, mebibytes } from '../foundation/bytes';

/** Bytes: the table of contents is at the end, so that a file is held whole. */
const LARGEST = 512 * MIB;
/** Numbers and texts of all columns together: a few bytes may say a value as often as they like. */
const MOST_VALUES = 10_000_000n;
const MOST_ROWS = 1_000_000n;
/** Bytes of all columns unpacked, and letters of all rows: a text that is there once may be the value of every row. */
const MOST_UNPACKED = 2 * LARGEST;

/** Throws where the file is cut off, packed otherwise than with Snappy, or too large. */
export async function* rowsOfParquet(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const file = await whole(bytes);
  const { parquetMetadata, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const metadata = parquetMetadata(file);
  const chunks = metadata.row_groups.flatMap((group) => group.columns);
  const sumOf = (of: (chunk: (typeof chunks)[number]) => bigint | undefined): bigint =>
    chunks.reduce((sum, chunk) => sum + (of(chunk) ?? 0n), 0n);
  bound(
    sumOf(({ meta_data }) => meta_data?.num_values),
    MOST_VALUES,
    'values',
  );
  bound(
    metadata.row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n),
    MOST_ROWS,
    'rows',
  );
  bound(
    sumOf(({ meta_data }) => meta_data?.total_uncompressed_size),
    MOST_UNPACKED,
    'bytes when it is unpacked',
  );
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  let letters = 0;
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const rows: Record<string, unknown>[] = [];
    // One column after the other: of several that are damaged the package would leave all but one rejection unheard.
    for (const name of names) {
      const column = await parquetReadObjects({ file, metadata, rowStart, rowEnd, columns: [name] });
      for (const [at, value] of column.entries()) rows[at] = Object.assign(rows[at] ?? {}, value);
    }
    for (const row of rows) {
      const text = JSON.stringify(row, jsonOf);
      letters += text.length;
      bound(letters, LARGEST, 'letters in its rows');
      yield text;
    }
    rowStart = rowEnd;
  }
}

function bound(count: number | bigint, most: number | bigint, what: string): void {
  if (count > most) throw new Error(`it has more than ${most} ${what}`);
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(new Uint8Array(piece));
    size += piece.length;
    if (size > LARGEST) throw new Error(`it is larger than ${mebibytes(LARGEST)}`);
  }
  return new Blob(pieces).arrayBuffer();
}

/** Whole numbers are bigints there, and lists may be typed arrays; JSON has no NaN, which is a text here. */
function jsonOf(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : value;
}
