/**
 * Plan of a population on a device, and smaller ones, for when there was too little memory for the usual one: each halving cuts the
 * batch into at least twice as many microbatches. The cut changes no number (rl/plan.ts), only memory and speed.
 */
import type { Environment } from '../../environments/environment';
import { decoderChunk, mostDrawn } from '../../environments/replay';
import type { Experiment } from '../../experiment/experiment';
import { findModel } from '../../experiment/models';
import { isCpu } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import type { PolicyConfiguration } from '../../policy/configuration';
import { layoutParameters, mostTogether } from '../../policy/parameters';
import { type MeasuredPlan, type PlanSizes, planMicrobatches } from '../../rl/plan';
import { takesTurns } from '../../rl/play/collection';
import type { Member } from '../../rl/population';
import type { Backend, BackendLimits } from '../../tensor/backend';
import { actingCopies } from './state';

/** Members, their world, and the policies' shape. */
export interface Planned {
  readonly members: readonly Member[];
  readonly environment: Environment;
  readonly configuration: PolicyConfiguration;
}

/** Tokens of a turn at most: a policy that takes over in the middle of an episode reads all of it. */
export const chunkOf = ({ arms }: Pick<Experiment, 'arms'>, environment: Environment): number =>
  arms.some(takesTurns) ? environment.context : decoderChunk(environment);

/** Bytes of the weights below adapters; 0 without adapters. */
const frozenBytes = ({ policy }: Pick<Experiment, 'policy'>): number =>
  policy.adapterRank === 0 ? 0 : (findModel(policy.model)?.bytes ?? 0);

/** Plan that cuts the batch to fit the device. */
export function planFor(
  backend: Pick<Backend, 'kind' | 'limits'>,
  experiment: Experiment,
  { members, environment, configuration }: Planned,
  halvings = 0,
): MeasuredPlan {
  const { groups, groupSize } = experiment.batch;
  const layout = layoutParameters(configuration);
  const sizes = {
    members: members.length,
    trajectories: groups * groupSize,
    groups,
    turns: environment.maxTurns,
    parameters: layout.size,
    together: mostTogether(layout),
    frozen: frozenBytes(experiment),
    chunk: chunkOf(experiment, environment),
    maxActionTokens: mostDrawn(environment),
    actingCopies: actingCopies(Math.max(...experiment.arms.map((arm) => arm.staleness))),
  };
  return planHalved(limitsFor(backend, sizes.frozen), configuration, sizes, halvings);
}

/**
 * Limits of a plan. A CPU's budget is for what members take, shared by its Workers; each of them holds frozen weights of its own
 * besides. A GPU's is for all.
 */
function limitsFor({ kind, limits }: Pick<Backend, 'kind' | 'limits'>, frozen: number): BackendLimits {
  return isCpu(kind) ? { ...limits, memoryBudgetBytes: limits.memoryBudgetBytes + frozen } : limits;
}

/** The usual plan, halved `halvings` times. Throws LabError 'limits' when it does not fit or cannot be halved again. */
function planHalved(
  limits: BackendLimits,
  configuration: PolicyConfiguration,
  sizes: PlanSizes,
  halvings: number,
): MeasuredPlan {
  let plan = planMicrobatches(limits, configuration, sizes);
  for (let done = 0; done < halvings; done++) {
    const target = 2 * plan.microbatches;
    let next = smaller(plan, limits, configuration, sizes);
    if (next === null) {
      const what = `The batch is cut into ${plan.microbatches} parts already, as many as there can be.`;
      throw new LabError('limits', what, 'Choose fewer seeds or arms, smaller groups, or a narrower policy.');
    }
    for (; next !== null && plan.microbatches < target; next = smaller(plan, limits, configuration, sizes)) plan = next;
  }
  return plan;
}

/** The next plan that takes less memory; null if there is none. */
function smaller(
  plan: MeasuredPlan,
  limits: BackendLimits,
  configuration: PolicyConfiguration,
  sizes: PlanSizes,
): MeasuredPlan | null {
  try {
    return planMicrobatches({ ...limits, memoryBudgetBytes: plan.bytes - 1 }, configuration, sizes);
  } catch (cause) {
    if (cause instanceof LabError && cause.code === 'limits') return null;
    throw cause;
  }
}
