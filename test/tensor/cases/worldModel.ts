import type { ParityCase } from './case';

export const WORLD_MODEL_CASES: readonly ParityCase[] = [];
