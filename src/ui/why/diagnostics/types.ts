import type { MemberDiagnosis } from '../../../rl/diagnosis/table';
import type { ArmColour } from '../../armColour';

export interface DiagnosedArm {
  readonly id: string;
  readonly name: string;
  readonly colour: ArmColour;
  readonly found: MemberDiagnosis;
}
