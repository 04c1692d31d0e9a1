import type { ParityCase } from './case';

export const POLICY_OBJECTIVE_CASES: readonly ParityCase[] = [];
