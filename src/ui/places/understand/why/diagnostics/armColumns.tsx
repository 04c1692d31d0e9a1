/** Parts of the tables of a diagnosis: columns that are arms, and numbers as they are written. */
import type { MemberDiagnosis } from '../../../../../rl/look/diagnosis/table';
import { formatMeasured } from '../../../../kit/format';
import type { ArmColour } from '../../../../model/armColour';
import { MarkedArm } from '../../../../model/arms/ArmName';

export interface DiagnosedArm {
  readonly id: string;
  readonly name: string;
  readonly colour: ArmColour;
  readonly found: MemberDiagnosis;
}

export const armColumns = (arms: readonly DiagnosedArm[]) =>
  arms.map(({ id, name, colour }) => ({ key: id, head: <MarkedArm colour={colour} name={name} /> }));

/** First column, with the rows' names. */
export const namedColumn = (head: string) => ({ key: 'name', head, className: 'diagnostics-head' });

/** A measured number; a dash where there is none. */
export const written = (value: number): string => (Number.isNaN(value) ? '–' : formatMeasured(value));
