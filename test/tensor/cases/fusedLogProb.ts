import type { ParityCase } from './case';

export const FUSED_LOG_PROB_CASES: readonly ParityCase[] = [];
