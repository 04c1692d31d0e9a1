import type { MemberDiagnosis } from '../../../../../rl/look/diagnosis/table';
import type { ArmColour } from '../../../../model/armColour';

export interface DiagnosedArm {
  readonly id: string;
  readonly name: string;
  readonly colour: ArmColour;
  readonly found: MemberDiagnosis;
}
