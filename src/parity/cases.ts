/**
 * All parity cases, at least one for each operation of the contract. A backend is right when its outputs are those of the
 * reference, within each output's tolerance.
 */

import { ADVANTAGE_CASES } from './cases/advantage';
import { ATTENTION_CASES } from './cases/attention';
import type { ParityCase } from './cases/case';
import { DISTILLATION_CASES } from './cases/distillation';
import { FORMULA_CASES } from './cases/formula';
import { FUSED_LOG_PROB_CASES } from './cases/fusedLogProb';
import { LOG_PROB_CASES } from './cases/logProb';
import { OPTIMISER_CASES } from './cases/optimiser';
import { POLICY_BACKWARD_CASES } from './cases/policyBackward';
import { POLICY_FORWARD_CASES } from './cases/policyForward';
import { POLICY_OBJECTIVE_CASES } from './cases/policyObjective';
import { VALUE_HEAD_CASES } from './cases/valueHead';
import { WORLD_MODEL_CASES } from './cases/worldModel';
import { WORLD_MODEL_WEIGHT_CASES } from './cases/worldModelWeights';

export { aloneCase, type CaseOutput, differences, type ParityCase, runCase } from './cases/case';

export const CASES: readonly ParityCase[] = [
  ...POLICY_FORWARD_CASES,
  ...ATTENTION_CASES,
  ...POLICY_BACKWARD_CASES,
  ...LOG_PROB_CASES,
  ...DISTILLATION_CASES,
  ...OPTIMISER_CASES,
  ...FUSED_LOG_PROB_CASES,
  ...VALUE_HEAD_CASES,
  ...ADVANTAGE_CASES,
  ...POLICY_OBJECTIVE_CASES,
  ...FORMULA_CASES,
  ...WORLD_MODEL_CASES,
  ...WORLD_MODEL_WEIGHT_CASES,
];
