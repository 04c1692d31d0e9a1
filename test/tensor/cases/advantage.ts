import type { ParityCase } from './case';

export const ADVANTAGE_CASES: readonly ParityCase[] = [];
