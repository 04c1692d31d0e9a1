/** The policies' files that an experiment names by their hashes: those given on the command line, and those that come with the lab. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Experiment } from '../experiment/experiment';
import { namedPolicies } from '../experiment/policyFiles';
import { LabError } from '../foundation/errors';
import { readPolicies } from '../train/policyFiles';
import type { FilePolicies } from '../train/training';
import { readPolicyFile } from './policyFile';

/** Where `npm run policies` writes, and the lab finds what comes with it. */
export const SHIPPED_FOLDER = 'public/policies';

const IndexSchema = v.array(v.object({ file: v.string(), sha256: v.string() }));

/**
 * `paths`: files given. Throws LabError where one is no policy or not named by the experiment, where one is missing, and
 * where one does not fit the arms that name it.
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
  const shipped = named.every((hash) => known.has(hash)) ? new Map<string, string>() : await shippedFiles();
  const files = await Promise.all(named.map(async (hash) => known.get(hash) ?? readShipped(shipped.get(hash), hash)));
  return readPolicies(
    files.map((bytes) => new Blob([bytes])),
    experiment,
  );
}

/** The file of each hash. */
async function shippedFiles(): Promise<Map<string, string>> {
  const index = v.parse(IndexSchema, JSON.parse(await readFile(join(SHIPPED_FOLDER, 'index.json'), 'utf8')));
  return new Map(index.map(({ file, sha256 }) => [sha256, file]));
}

function readShipped(file: string | undefined, hash: string): Promise<Uint8Array<ArrayBuffer>> {
  if (file !== undefined) return readFile(join(SHIPPED_FOLDER, file)) as Promise<Uint8Array<ArrayBuffer>>;
  const what = `The experiment names the policy’s file with the SHA-256 ${hash}, which does not come with the lab.`;
  throw new LabError('missing-policy', what, 'Ask for the file, and add --policy FILE.');
}
