/** Policy files that an experiment names by hash: those given on the command line, and those that come with the lab. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namedPolicies } from '../../experiment/arm/policyFiles';
import type { Experiment } from '../../experiment/experiment';
import { shippedPath } from '../../experiment/shippedPolicies';
import { LabError } from '../../foundation/errors';
import { sha256Of } from '../../foundation/sha256';
import { readPolicies } from '../../train/policies/files';
import { folderOf } from '../../train/policies/models';
import type { FilePolicies } from '../../train/population/training';
import { readPolicyFile } from './policyFile';

declare global {
  /** The lab's own folder, set by scripts/run.mjs; the present one without it. */
  var unmaskHome: string | undefined;
}

/** Folder of the shipped policies, which `npm run policies` writes. */
export const SHIPPED_FOLDER = 'public/policies';

/**
 * Policies of all files that the experiment names. `paths`: files given. Throws LabError if a file is no policy, is not
 * named by the experiment, is missing, or does not fit the arms that name it.
 */
export async function findPolicies(experiment: Experiment, paths: readonly string[]): Promise<FilePolicies> {
  const named = namedPolicies(experiment);
  const given = await Promise.all(paths.map((path) => readPolicyFile(path)));
  const known = new Map(given.map(({ sha256, bytes }) => [sha256, bytes]));
  const unused = given.find(({ sha256 }) => !named.includes(sha256));
  if (unused !== undefined) {
    const what = `No arm names ${unused.path}, whose SHA-256 is ${unused.sha256}.`;
    const advice = `Leave it out, or name it: --set arms.ID.startPolicy=${unused.sha256} (or referencePolicy, or fixedPolicy).`;
    throw new LabError('invalid-experiment', what, advice);
  }
  // A model of the reader's own is read from its folder.
  const asked = named.filter((hash) => folderOf(hash) === null);
  const files = await Promise.all(asked.map(async (hash) => known.get(hash) ?? readShipped(hash, experiment)));
  return readPolicies(
    files.map((bytes) => new Blob([bytes])),
    experiment,
  );
}

async function readShipped(hash: string, { policy }: Experiment): Promise<Uint8Array<ArrayBuffer>> {
  if (policy.model === hash) {
    const what = `The policies begin from the language model with the SHA-256 ${hash}.`;
    throw new LabError('missing-policy', what, 'Add --model DIR, the folder that it is in.');
  }
  const shipped = shippedPath(hash);
  if (shipped === null) {
    const what = `The experiment names the policy’s file with the SHA-256 ${hash}, which does not come with the lab.`;
    throw new LabError('missing-policy', what, 'Ask for the file, and add --policy FILE.');
  }
  const path = join(globalThis.unmaskHome ?? '', 'public', shipped);
  const bytes: Uint8Array<ArrayBuffer> = await readFile(path);
  const found = await sha256Of(bytes);
  if (found === hash) return bytes;
  const what = `${path} is damaged: it has the SHA-256 ${found}, and came with ${hash}.`;
  throw new LabError('invalid-policy', what, 'Get it again from where the lab came from.');
}
