/**
 * Populations computed in parts, each by a Training of its own. Results of the parts are put together in the order of the
 * members or arms; a part's share of a snapshot is taken out of the whole. A part is given by its members' indices in the
 * population.
 */
import type { Arm } from '../../experiment/experiment';
import { type Diagnosis, diagnosisStride } from '../../rl/look/diagnosis/table';
import type { FloatData } from '../../tensor/backend';

export type PartIndices = readonly number[];

/** Writes the rows of every part's members into `to` [P, …], in the order of the population. */
export function gatherRows<A extends Float32Array | Float64Array>(
  parts: readonly PartIndices[],
  rows: readonly FloatData[],
  members: number,
  to: A,
): A {
  const stride = to.length / members;
  parts.forEach((indices, part) => {
    indices.forEach((member, row) => {
      to.set((rows[part] as FloatData).subarray(row * stride, (row + 1) * stride), member * stride);
    });
  });
  return to;
}

/** Rows of the members from every part that has measured them, NaN for the others; null where none has. */
export function gatherDiagnosis(
  parts: readonly PartIndices[],
  measured: readonly (Diagnosis | null)[],
  members: number,
): Diagnosis | null {
  const diagnosis = measured.find((part) => part !== null);
  if (diagnosis === undefined) return null;
  const stride = diagnosisStride(diagnosis);
  const rows = parts.map(
    ({ length }, part) => measured[part]?.numbers ?? new Float64Array(length * stride).fill(Number.NaN),
  );
  return { ...diagnosis, numbers: gatherRows(parts, rows, members, new Float64Array(members * stride)) };
}

/** One value of each member, in the order of the population. */
export function gatherOwn<T>(parts: readonly PartIndices[], values: readonly (readonly T[])[]): T[] {
  const gathered: T[] = [];
  parts.forEach((indices, part) => {
    indices.forEach((member, row) => {
      gathered[member] = values[part]?.[row] as T;
    });
  });
  return gathered;
}

/** Numbers of some members; none where there are none of anybody. */
export const pickOwn = (values: readonly number[], indices: PartIndices): number[] =>
  values.length === 0 ? [] : indices.map((member) => values[member] ?? 0);

/** Rows of some members. A snapshot of another shape gives rows of another length, which their Trainer refuses. */
export function pickRows(values: FloatData, members: number, indices: PartIndices): Float32Array {
  const stride = Math.floor(values.length / members);
  const rows = new Float32Array(indices.length * stride);
  indices.forEach((member, row) => {
    rows.set(values.subarray(member * stride, (member + 1) * stride), row * stride);
  });
  return rows;
}

/** Results of all parts, in the order of the arms. */
export function inOrderOfArms<T>(
  arms: readonly Pick<Arm, 'id'>[],
  parts: readonly (readonly T[])[],
  armOf: (one: T) => string,
): T[] {
  const place = (one: T): number => arms.findIndex(({ id }) => id === armOf(one));
  return parts.flat().toSorted((a, b) => place(a) - place(b));
}
