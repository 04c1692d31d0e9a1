/**
 * All parity cases: at least one per operation of the contract. A backend is right when it gives, within each output's
 * tolerance, what the reference gives.
 */
import type { ParityCase } from './cases/case';
import { LOG_PROB_CASES } from './cases/logProb';
import { OBJECTIVE_CASES } from './cases/objective';
import { POLICY_BACKWARD_CASES } from './cases/policyBackward';
import { POLICY_FORWARD_CASES } from './cases/policyForward';

export { aloneCase, type CaseOutput, differences, type ParityCase, runCase } from './cases/case';

export const CASES: readonly ParityCase[] = [
  ...POLICY_FORWARD_CASES,
  ...POLICY_BACKWARD_CASES,
  ...LOG_PROB_CASES,
  ...OBJECTIVE_CASES,
];
