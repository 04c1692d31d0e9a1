/** The files that an experiment depends on and does not hold: it names them by their hashes. */
import { LabError } from '../foundation/errors';
import type { Arm, Experiment } from './experiment';

type Named = Pick<Arm, 'fixedPolicy' | 'startPolicy' | 'referencePolicy'>;

/** The arm is a policy out of a file that plays and learns nothing. */
export function isFixed({ fixedPolicy }: Pick<Arm, 'fixedPolicy'>): boolean {
  return fixedPolicy !== '';
}

/** Throws LabError for such an arm. `why`: what of it cannot be done. */
export function refuseFixed(arm: Pick<Arm, 'name' | 'fixedPolicy'>, why: string): void {
  if (!isFixed(arm)) return;
  const what = `${arm.name} is a fixed policy and learns nothing: ${why}.`;
  throw new LabError('invalid-experiment', what, 'Choose an arm that trains.');
}

/** Of the files that the arms train with, which must have the shape of their policies. */
export function trainedPolicies({ arms }: { readonly arms: readonly Named[] }): string[] {
  const trained = arms.filter((arm) => !isFixed(arm));
  return unique(trained.flatMap(({ startPolicy, referencePolicy }) => [startPolicy, referencePolicy]));
}

/** Of the files that play as they are. */
export function fixedPolicies({ arms }: { readonly arms: readonly Named[] }): string[] {
  return unique(arms.map(({ fixedPolicy }) => fixedPolicy));
}

/** The SHA-256 of each policy's file, once. */
export function namedPolicies(experiment: { readonly arms: readonly Named[] }): string[] {
  return unique([...trainedPolicies(experiment), ...fixedPolicies(experiment)]);
}

/** Policies that the experiment trains: one for each seed of an arm that is no fixed policy. */
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
