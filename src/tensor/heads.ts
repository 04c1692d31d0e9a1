/**
 * Heads of attention, and what they make of a row of qkv: the queries, then the keys, then the values, head by head. Grouped
 * heads (arXiv 2305.13245): each head of keys and values serves queries / keys neighbouring heads of queries.
 */
export interface Heads {
  /** H, heads of queries; a multiple of `keys`. */
  readonly queries: number;
  /** Heads of keys, and of values. */
  readonly keys: number;
  /** D, elements of each; a multiple of 4. */
  readonly width: number;
}

/** Heads that divide a width, as many of keys as of queries. */
export function evenHeads(width: number, heads: number): Heads {
  return { queries: heads, keys: heads, width: width / heads };
}

export interface HeadWidths {
  /** H·D: the queries of a row, and the output of attention. */
  readonly queries: number;
  /** Keys of a row; as many values follow. */
  readonly keys: number;
  /** Queries, keys and values together. */
  readonly row: number;
}

export function headWidths({ queries, keys, width }: Heads): HeadWidths {
  return { queries: queries * width, keys: keys * width, row: (queries + 2 * keys) * width };
}
