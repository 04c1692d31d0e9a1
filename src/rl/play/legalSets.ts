/**
 * Legal sets: tokens that may be drawn at a place, as bit sets that kernels look up by number. (The action mask is another
 * thing, a loss weight of 0.) Set 0 is the full vocabulary, set i the environment's i-th.
 */
import type { Environment } from '../../environments/environment';
import { LabError } from '../../foundation/errors';
import { MAX_LEGAL_SETS } from '../../tensor/layout';

/** The bit sets, [sets, ceil(V/32)] words of 32 bits, flat. Throws LabError 'limits' where there are too many. */
export function legalSetTable(environment: Environment, vocabulary: number): Uint32Array {
  const words = Math.ceil(vocabulary / 32);
  const sets = environment.legalSets.length + 1;
  if (sets > MAX_LEGAL_SETS) {
    throw new LabError(
      'limits',
      `The environment has ${sets} legal-action sets, more than ${MAX_LEGAL_SETS}.`,
      'Merge sets that differ little.',
    );
  }
  const table = new Uint32Array(sets * words);
  // Words that fill up a language model's vocabulary were never trained: they get no probability.
  const whole = environment.model === undefined ? vocabulary : environment.words.length;
  const everyToken = Array.from({ length: whole }, (_, token) => token);
  [everyToken, ...environment.legalSets].forEach((tokens, set) => {
    table.set(bitMask(tokens, vocabulary), set * words);
  });
  return table;
}

/** A bit for each token, ceil(V/32) words. */
export function bitMask(tokens: readonly number[], vocabulary: number): Uint32Array {
  const mask = new Uint32Array(Math.ceil(vocabulary / 32));
  for (const token of tokens) mask[token >>> 5] |= 1 << (token & 31);
  return mask;
}
