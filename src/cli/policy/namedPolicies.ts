/** Policy files that an experiment names by hash: those given on the command line, and those that come with the lab. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Experiment } from '../../experiment/experiment';
import { findNamed } from '../../train/policies/named';
import type { FilePolicies } from '../../train/population/training';
import { readPolicyFile } from './policyFile';

declare global {
  /** The lab's own folder, set by scripts/run.mjs; the present one without it. */
  var unmaskHome: string | undefined;
}

/** Folder of the shipped policies, which `npm run policies` writes. */
export const SHIPPED_FOLDER = 'public/policies';

/** Policies of all files that the experiment names. `paths`: files given. Throws LabError as findNamed does. */
export async function findPolicies(experiment: Experiment, paths: readonly string[]): Promise<FilePolicies> {
  const files = await Promise.all(paths.map((path) => readPolicyFile(path)));
  return findNamed(
    experiment,
    files.map(({ path, ...file }) => ({ name: path, ...file })),
    (path) => readFile(join(globalThis.unmaskHome ?? '', 'public', path)),
  );
}
