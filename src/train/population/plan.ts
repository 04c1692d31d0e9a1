/**
 * Smaller plans, for when there was too little memory for the usual one: each halving cuts the batch into at least twice as
 * many microbatches. The cut changes no number (rl/plan.ts), only memory and speed.
 */
import { LabError } from '../../foundation/errors';
import type { PolicyConfiguration } from '../../policy/configuration';
import { type Plan, type PlanSizes, planMicrobatches } from '../../rl/plan';
import type { BackendLimits } from '../../tensor/backend';

/** The usual plan, halved `halvings` times. Throws LabError 'limits' when it does not fit or cannot be halved again. */
export function planHalved(
  limits: BackendLimits,
  configuration: PolicyConfiguration,
  sizes: PlanSizes,
  halvings: number,
): Plan {
  let plan = planMicrobatches(limits, configuration, sizes);
  for (let done = 0; done < halvings; done++) {
    const wanted = 2 * plan.microbatches;
    let next = smaller(plan, limits, configuration, sizes);
    if (next === null) {
      const what = `The batch is cut into ${plan.microbatches} parts already, as many as there can be.`;
      throw new LabError('limits', what, 'Choose fewer seeds or arms, smaller groups, or a narrower policy.');
    }
    for (; next !== null && plan.microbatches < wanted; next = smaller(plan, limits, configuration, sizes)) plan = next;
  }
  return plan;
}

/** The next plan that takes less memory; null if there is none. */
function smaller(plan: Plan, limits: BackendLimits, configuration: PolicyConfiguration, sizes: PlanSizes): Plan | null {
  try {
    return planMicrobatches({ ...limits, memoryBudgetBytes: plan.bytes - 1 }, configuration, sizes);
  } catch (cause) {
    if (cause instanceof LabError && cause.code === 'limits') return null;
    throw cause;
  }
}
