/** Rows of a Parquet file as lines of JSON. The package that reads it is loaded only where such a file is given. */

/** Bytes: the table of contents is at the end, so that a file is held whole. */
const LARGEST = 512 * 1024 * 1024;
/** Numbers and texts of all columns together. */
const MOST_VALUES = 50_000_000n;

/** Throws where the file is cut off, packed otherwise than with Snappy, or too large. */
export async function* rowsOfParquet(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const file = await whole(bytes);
  const { parquetMetadata, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const metadata = parquetMetadata(file);
  const chunks = metadata.row_groups.flatMap((group) => group.columns);
  if (chunks.reduce((sum, { meta_data }) => sum + (meta_data?.num_values ?? 0n), 0n) > MOST_VALUES) {
    throw new Error(`it has more than ${MOST_VALUES} values`);
  }
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const rows: Record<string, unknown>[] = [];
    // One column after the other: of several that are damaged the package would leave all but one rejection unheard.
    for (const name of names) {
      const column = await parquetReadObjects({ file, metadata, rowStart, rowEnd, columns: [name] });
      for (const [at, value] of column.entries()) rows[at] = Object.assign(rows[at] ?? {}, value);
    }
    for (const row of rows) yield JSON.stringify(row, jsonOf);
    rowStart = rowEnd;
  }
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(new Uint8Array(piece));
    size += piece.length;
    if (size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1024 ** 2} MB`);
  }
  return new Blob(pieces).arrayBuffer();
}

/** Whole numbers are bigints there, and lists may be typed arrays; JSON has no NaN, which is a text here. */
function jsonOf(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : value;
}
