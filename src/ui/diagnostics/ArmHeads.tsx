/** The heads of columns that are arms. */
import { ArmMark } from '../arms/ArmName';
import type { DiagnosedArm } from './types';

export function ArmHeads({ arms }: { arms: readonly DiagnosedArm[] }) {
  return arms.map(({ id, name, colour }) => (
    <th key={id} scope="col">
      <ArmMark colour={colour} /> {name}
    </th>
  ));
}
