/**
 * All parity cases, at least one for each operation of the contract. A backend is right when its outputs are those of the
 * reference, within each output's tolerance.
 */

import { ATTENTION_CASES } from './attention';
import type { ParityCase } from './case';
import { FUSED_LOG_PROB_CASES } from './fusedLogProb';
import { halfCases } from './halves';
import { LLAMA_CASES } from './llama';
import { LOG_PROB_CASES } from './logProb';
import { ADVANTAGE_CASES } from './objective/advantage';
import { DISTILLATION_CASES } from './objective/distillation';
import { FORMULA_CASES } from './objective/formula';
import { POLICY_OBJECTIVE_CASES } from './objective/policyObjective';
import { WHOLE_OBJECTIVE_CASES } from './objective/wholeObjective';
import { WORLD_MODEL_CASES } from './objective/worldModel';
import { WORLD_MODEL_WEIGHT_CASES } from './objective/worldModelWeights';
import { OPTIMISER_CASES } from './optimiser';
import { POLICY_BACKWARD_CASES } from './policyBackward';
import { POLICY_FORWARD_CASES } from './policyForward';
import { VALUE_HEAD_CASES } from './valueHead';

export { aloneCase, type CaseOutput, differences, type ParityCase, runCase } from './case';

const OF_FLOATS: readonly ParityCase[] = [
  ...POLICY_FORWARD_CASES,
  ...ATTENTION_CASES,
  ...POLICY_BACKWARD_CASES,
  ...LLAMA_CASES,
  ...LOG_PROB_CASES,
  ...DISTILLATION_CASES,
  ...OPTIMISER_CASES,
  ...FUSED_LOG_PROB_CASES,
  ...VALUE_HEAD_CASES,
  ...ADVANTAGE_CASES,
  ...POLICY_OBJECTIVE_CASES,
  ...FORMULA_CASES,
  ...WORLD_MODEL_CASES,
  ...WHOLE_OBJECTIVE_CASES,
  ...WORLD_MODEL_WEIGHT_CASES,
];

export const CASES: readonly ParityCase[] = [...OF_FLOATS, ...halfCases(OF_FLOATS)];
