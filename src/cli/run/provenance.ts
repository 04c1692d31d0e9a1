/** Words of the command line on a saved run whose numbers may be of other code. */
import { otherNumericsWords, standingHere } from '../../experiment/provenance';
import type { Checkpoint } from '../../train/run/keep/checkpoint';
import { usage } from '../errors';

/** Note on files from before runs kept the code that computed them. */
export const NO_NUMERICS = 'from before numerics were kept: nothing tells whether this version computes the same bits';

/** Remarks on a run that is resumed. Throws LabError where it was computed with other numerics, unless that is allowed. */
export function numericsRemarks(
  folder: string,
  { backend, machines }: Pick<Checkpoint, 'backend' | 'machines'>,
  allowed: boolean,
): string[] {
  const last = { backend, code: machines.at(-1)?.code };
  const standing = standingHere(last);
  if (standing === 'unknown') return [`The checkpoint is ${NO_NUMERICS}.`];
  if (standing === 'same') return [];
  const words = otherNumericsWords(last);
  if (allowed) return [`${words} The result says from which update on.`];
  throw usage(
    `The run in ${folder} would not go on to the numbers it would have had. ${words}`,
    'Resume it with the version that began it, or go on all the same with --other-numerics.',
  );
}
