/** The rows of a forward pass that are targets, and their place in the dense batch (operations/batch.ts). */
import type { Rows } from '../backend';
import { metaRole, metaSequence, ROW_FIELDS } from '../layout';
import type { ObjectiveHost } from './host';

/**
 * Calls `visit` for every row in use of member p, in order. Numbers, not an object: there are thousands of rows in every pass.
 * `index`: its place among the rows, r. `role`: of a target, or null at a trajectory's first token, which nothing predicts.
 * `dense`: index in a member's part of a tensor [P,B,T], sequence · context + position.
 */
export function forEachRow(
  host: ObjectiveHost,
  rows: Rows,
  context: number,
  p: number,
  visit: (index: number, role: number | null, dense: number) => void,
): void {
  const table = host.u32(rows.table, p);
  const inUse = Math.min(host.u32(rows.count, p)[0], rows.capacity);
  for (let index = 0; index < inUse; index++) {
    const position = table[index * ROW_FIELDS + 1];
    const meta = table[index * ROW_FIELDS + 3];
    visit(index, position > 0 ? metaRole(meta) : null, metaSequence(meta) * context + position);
  }
}
