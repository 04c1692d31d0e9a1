/** Columns that are arms. */
import { ArmMark } from '../../../../model/arms/ArmName';
import type { DiagnosedArm } from './types';

export const armColumns = (arms: readonly DiagnosedArm[]) =>
  arms.map(({ id, name, colour }) => ({
    key: id,
    head: (
      <>
        <ArmMark colour={colour} /> {name}
      </>
    ),
  }));

/** The first column beside them. */
export const namedColumn = (head: string) => ({ key: 'name', head, className: 'diagnostics-head' });
