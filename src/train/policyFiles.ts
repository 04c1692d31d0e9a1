/** Policies out of files, in the Worker: read, checked, and judged against the experiment that should begin from them. */
import type { Experiment } from '../experiment/experiment';
import { LabError } from '../foundation/errors';
import { type ImportedPolicy, importOnnx } from '../onnx/importOnnx';
import { POLICY_LIMITS } from '../onnx/limits';
import { createEnvironment, policyShape } from './policyShape';
import type { PolicySummary } from './protocol';
import type { FileWeights } from './training';

/** Throws LabError for a file that holds no policy of this lab. */
export async function inspectPolicy(file: Blob, experiment: Experiment): Promise<PolicySummary> {
  const { sha256, policy } = await readPolicy(file);
  const { member, update, results, licence, parameters } = policy;
  return {
    sha256,
    environment: policy.environment.id,
    member,
    update,
    parameters: parameters.length,
    results,
    licence,
    experiment: policy.experiment,
    misfit: misfitOf(policy, experiment),
  };
}

/** Throws LabError where one holds no policy, or one that the experiment cannot begin from. */
export async function readPolicies(files: readonly Blob[], experiment: Experiment): Promise<FileWeights> {
  const read = await Promise.all(files.map(readPolicy));
  for (const { policy } of read) {
    const misfit = misfitOf(policy, experiment);
    if (misfit === null) continue;
    throw new LabError('invalid-experiment', misfit, 'Begin from the experiment that the file comes from.');
  }
  return new Map(read.map(({ sha256, policy }) => [sha256, policy.parameters]));
}

export interface ReadPolicy {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly policy: ImportedPolicy;
}

/** Throws LabError for a file that holds no policy of this lab, and where the page cannot compute hashes. */
export async function readPolicy(file: Blob): Promise<ReadPolicy> {
  if (file.size > POLICY_LIMITS.bytes) {
    const what = `The file has ${file.size} bytes, more than ${POLICY_LIMITS.bytes}.`;
    throw new LabError('limits', what, 'Choose a smaller file: policies of this lab have a few megabytes.');
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { bytes, policy: importOnnx(bytes), sha256: await sha256Of(bytes) };
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Browsers give it to pages that came over https or from this machine only.
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) {
    const what = 'Policies’ files are told apart by hashes, which the browser refuses to a page that came over http.';
    throw new LabError('unsupported', what, 'Open the lab over https, or from this machine.');
  }
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Why the policies of an experiment cannot begin as this one: tokens must mean the same, and shapes must be the same. */
function misfitOf({ vocabulary, configuration }: ImportedPolicy, experiment: Experiment): string | null {
  const here = policyShape(experiment, createEnvironment(experiment));
  const { words } = here.vocabulary;
  const other = words.findIndex((word, token) => word !== vocabulary[token]);
  if (other >= 0) {
    return `The policy speaks of another world: its token ${other} is “${vocabulary[other] ?? ''}”, and here “${words[other]}”.`;
  }
  // How wide its weights were drawn says nothing of what they are now.
  const { initialScale: _, ...shape } = here.configuration;
  const differing = (Object.keys(shape) as (keyof typeof shape)[]).find((key) => shape[key] !== configuration[key]);
  if (differing === undefined) return null;
  return `The policy has another shape: its ${differing} is ${configuration[differing]}, and here ${shape[differing]}.`;
}
