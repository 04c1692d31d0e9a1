/** The rows of a forward pass that are targets, and their place in the dense batch (operations/batch.ts). */
import type { Rows } from '../backend';
import { metaRole, metaSequence, ROW_FIELDS } from '../layout';
import type { ObjectiveHost } from './host';

export interface Row {
  /** Its index among the rows, r. */
  readonly index: number;
  /** Role of a target, or null at a trajectory's first token, which nothing predicts. */
  readonly role: number | null;
  /** Index in a member's part of a tensor [P,B,T]: sequence · context + position. */
  readonly dense: number;
}

/** Calls `visit` for every row in use of member p. */
export function forEachRow(
  host: ObjectiveHost,
  rows: Rows,
  context: number,
  p: number,
  visit: (row: Row) => void,
): void {
  const table = host.u32(rows.table, p);
  const inUse = Math.min(host.u32(rows.count, p)[0], rows.capacity);
  for (let index = 0; index < inUse; index++) {
    const position = table[index * ROW_FIELDS + 1];
    const meta = table[index * ROW_FIELDS + 3];
    visit({ index, role: position > 0 ? metaRole(meta) : null, dense: metaSequence(meta) * context + position });
  }
}
