/** Policy files that an experiment names by hash: those at hand, and those that come with the lab. */
import { namedPolicies } from '../../experiment/arm/policyFiles';
import type { Experiment } from '../../experiment/experiment';
import { shippedPath } from '../../experiment/shippedPolicies';
import { LabError } from '../../foundation/errors';
import { sha256Of } from '../../foundation/sha256';
import type { FilePolicies } from '../population/training';
import { readPolicies } from './files';
import { folderOf } from './models';

export interface GivenPolicy {
  /** Name for messages: a path. */
  readonly name: string;
  /** Hash by which experiments name the file. */
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Policies of all files that the experiment names. `read`: bytes of a file of the lab, by its path below `public`. Throws LabError if
 * a file that was given is not named by the experiment, if one is missing, damaged, no policy, or does not fit the arms that name it.
 */
export async function findNamed(
  experiment: Experiment,
  given: readonly GivenPolicy[],
  read: (path: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<FilePolicies> {
  const named = namedPolicies(experiment);
  const known = new Map(given.map(({ sha256, bytes }) => [sha256, bytes]));
  const unused = given.find(({ sha256 }) => !named.includes(sha256));
  if (unused !== undefined) {
    const what = `No arm names ${unused.name}, whose SHA-256 is ${unused.sha256}.`;
    const advice = `Leave it out, or name it: --set arms.ID.startPolicy=${unused.sha256} (or referencePolicy, or fixedPolicy).`;
    throw new LabError('invalid-experiment', what, advice);
  }
  const readShipped = async (hash: string): Promise<Uint8Array<ArrayBuffer>> => {
    const path = shippedPathOf(hash, experiment);
    const bytes = await read(path);
    const digest = await sha256Of(bytes);
    if (digest === hash) return bytes;
    const what = `${path} is damaged: it has the SHA-256 ${digest}, and came with ${hash}.`;
    throw new LabError('invalid-policy', what, 'Get it again from where the lab came from.');
  };
  // A model of the reader's own is read from its folder.
  const hashes = named.filter((hash) => folderOf(hash) === null);
  const files = await Promise.all(hashes.map((hash) => known.get(hash) ?? readShipped(hash)));
  return readPolicies(
    files.map((bytes) => new Blob([bytes])),
    experiment,
  );
}

function shippedPathOf(hash: string, { policy }: Experiment): string {
  if (policy.model === hash) {
    const what = `The policies begin from the language model with the SHA-256 ${hash}.`;
    throw new LabError('missing-policy', what, 'Add --model DIR, the folder that it is in.');
  }
  const path = shippedPath(hash);
  if (path !== null) return path;
  const what = `The experiment names the policy’s file with the SHA-256 ${hash}, which does not come with the lab.`;
  throw new LabError('missing-policy', what, 'Ask for the file, and add --policy FILE.');
}
