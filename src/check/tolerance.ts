/** Tolerances of float32 on a GPU against another project's float64: WGSL has exp to 3 + 2·|x| ulp and log to 2⁻²¹. */
import type { Fixture } from './format';

export interface Tolerance {
  readonly atol: number;
  readonly rtol: number;
}

/** Tolerance of losses and their gradients. */
const LOSS: Tolerance = { atol: 2e-6, rtol: 2e-5 };
/** Tolerance of cases tagged `extreme`, with log-ratios of 20 and more. */
const EXTREME: Tolerance = { atol: 1e-6, rtol: 1e-4 };
/** Tolerance of metrics: shares, means and counts that describe a loss. */
export const METRIC_TOLERANCE: Tolerance = { atol: 1e-6, rtol: 1e-5 };

export const isExtreme = (fixture: Fixture): boolean => fixture.tags?.includes('extreme') ?? false;

export const lossTolerance = (fixture: Fixture): Tolerance => (isExtreme(fixture) ? EXTREME : LOSS);
