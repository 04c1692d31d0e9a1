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

/** First column, with the rows' names. */
export const namedColumn = (head: string) => ({ key: 'name', head, className: 'diagnostics-head' });
