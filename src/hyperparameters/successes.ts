/** Imitation of the policy's own successes, beside the policy gradient. */
import { onHost, real } from './setting';

export const SUCCESSES = {
  /**
   * μ of VAPO's positive-example loss (arXiv 2504.05118; 0.1 there, 0 = none): −μ · Σ log π(a)/N₊ over the N₊ action tokens
   * of trajectories that succeeded. A formula (experiment/arm/roleRegularisers.ts), so no kernel reads it.
   */
  positiveNll: onHost(
    real({
      label: 'Imitation of successes μ',
      help: 'Weight of imitating the batch’s own successes (VAPO: 0.1). 0: none.',
      default: 0,
      min: 0,
      max: 10,
      soft: [0, 1],
      step: 0.05,
    }),
  ),
} as const;
