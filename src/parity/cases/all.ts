/**
 * All parity cases, at least one for each operation of the contract. A backend is right when its outputs are those of the
 * reference, within each output's tolerance.
 */

import { ADVANTAGE_CASES } from './advantage';
import { ATTENTION_CASES } from './attention';
import type { ParityCase } from './case';
import { DISTILLATION_CASES } from './distillation';
import { FORMULA_CASES } from './formula';
import { FUSED_LOG_PROB_CASES } from './fusedLogProb';
import { halfCases } from './halves';
import { LLAMA_CASES } from './llama';
import { LOG_PROB_CASES } from './logProb';
import { OPTIMISER_CASES } from './optimiser';
import { POLICY_BACKWARD_CASES } from './policyBackward';
import { POLICY_FORWARD_CASES } from './policyForward';
import { POLICY_OBJECTIVE_CASES } from './policyObjective';
import { VALUE_HEAD_CASES } from './valueHead';
import { WHOLE_OBJECTIVE_CASES } from './wholeObjective';
import { WORLD_MODEL_CASES } from './worldModel';
import { WORLD_MODEL_WEIGHT_CASES } from './worldModelWeights';

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
