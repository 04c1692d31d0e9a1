import type { ParityCase } from './case';

export const VALUE_HEAD_CASES: readonly ParityCase[] = [];
