/** Policy files that an experiment depends on but does not contain: it names them by SHA-256. */

import { isOwnModel } from '../../environments/own/own';
import { LabError } from '../../foundation/errors';
import type { Arm, Experiment } from '../experiment';
import { findModel } from '../models';

type Named = Pick<Arm, 'fixedPolicy' | 'startPolicy' | 'referencePolicy'>;

/** True for an arm whose policy comes from a file, plays and learns nothing. */
export function isFixed({ fixedPolicy }: Pick<Arm, 'fixedPolicy'>): boolean {
  return fixedPolicy !== '';
}

/** Throws LabError for a fixed policy. `why`: the thing that cannot be done with it. */
export function refuseFixed(arm: Pick<Arm, 'name' | 'fixedPolicy'>, why: string): void {
  if (!isFixed(arm)) return;
  const what = `${arm.name} is a fixed policy and learns nothing: ${why}.`;
  throw new LabError('invalid-experiment', what, 'Choose an arm that trains.');
}

/** Hashes of files that arms start from or measure the KL to: they must have the experiment's policy shape. */
export function trainedPolicies({ arms }: { readonly arms: readonly Named[] }): string[] {
  const trained = arms.filter((arm) => !isFixed(arm));
  return unique(trained.flatMap(({ startPolicy, referencePolicy }) => [startPolicy, referencePolicy]));
}

/** Hashes of files that play as fixed policies. */
export function fixedPolicies({ arms }: { readonly arms: readonly Named[] }): string[] {
  return unique(arms.map(({ fixedPolicy }) => fixedPolicy));
}

/** Hashes of the weights that all policies begin from; none where they begin from noise. */
export function baseWeights({ policy }: Pick<Experiment, 'policy'>): string[] {
  return unique([findModel(policy.model)?.sha256 ?? (isOwnModel(policy.model) ? policy.model : '')]);
}

/** Hashes of all policy files, each once. */
export function namedPolicies(experiment: Pick<Experiment, 'arms' | 'policy'>): string[] {
  return unique([...baseWeights(experiment), ...trainedPolicies(experiment), ...fixedPolicies(experiment)]);
}

/** Number of policies that the experiment trains: one for each seed of an arm that is no fixed policy. */
export function trainedMembers({ arms, seeds }: Pick<Experiment, 'arms' | 'seeds'>): number {
  return arms.filter((arm) => !isFixed(arm)).length * seeds;
}

/** Enough of a hash to tell files apart by eye. */
export function shortHash(sha256: string): string {
  return sha256.slice(0, 12);
}

function unique(hashes: readonly string[]): string[] {
  return [...new Set(hashes)].filter((hash) => hash !== '');
}
