/** The files that an experiment depends on and does not hold: it names them by their hashes. */
import type { Experiment } from './experiment';

/** The SHA-256 of each policy's file, once. */
export function namedPolicies({ arms }: Pick<Experiment, 'arms'>): string[] {
  const named = arms.flatMap(({ startPolicy, referencePolicy }) => [startPolicy, referencePolicy]);
  return [...new Set(named)].filter((hash) => hash !== '');
}

/** Enough of a hash to tell files apart by eye. */
export function shortHash(sha256: string): string {
  return sha256.slice(0, 12);
}
