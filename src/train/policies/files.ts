/** Policies out of files, in the Worker: read, checked, and compared with the experiment that is to use them. */
import type { Environment } from '../../environments/environment';
import { openWorlds } from '../../environments/own/here';
import { composeVocabulary } from '../../environments/vocabulary';
import { fixedPolicies, trainedPolicies } from '../../experiment/arm/policyFiles';
import type { Experiment } from '../../experiment/experiment';
import { findModel } from '../../experiment/models';
import { namesWorld, openWorldsOf } from '../../experiment/ownWorld';
import { currentHash } from '../../experiment/shippedPolicies';
import { excerpt, LabError } from '../../foundation/errors';
import { sha256Of } from '../../foundation/sha256';
import { folderOfFiles } from '../../llama/folder';
import { readWeights } from '../../llama/weights';
import { type ImportedPolicy, importOnnx } from '../../onnx/importOnnx';
import { POLICY_LIMITS } from '../../onnx/limits';
import type { PolicyConfiguration } from '../../policy/configuration';
import { createEnvironment, policyShape } from '../population/shape';
import type { BaseWeights, FilePolicies } from '../population/training';
import type { PolicySummary } from '../protocol';
import { weightsOfModel } from './models';

/** Summary of a policy's file. Throws LabError for a file that holds no policy of this lab. */
export async function inspectPolicy(file: Blob, experiment: Experiment): Promise<PolicySummary> {
  const { sha256, policy } = await readPolicy(file);
  await openWorldsOf(experiment);
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
    strangeness: strangenessOf(policy, createEnvironment(experiment)),
  };
}

/** Policies of some files. Throws LabError where a file holds none, or one that does not fit the arms that name it. */
export async function readPolicies(files: readonly Blob[], experiment: Experiment): Promise<FilePolicies> {
  await openWorldsOf(experiment);
  const named = await Promise.all(files.map(async (file) => ({ file, base: await readBase(file, experiment) })));
  const read = await Promise.all(named.flatMap(({ file, base }) => (base === null ? [readPolicy(file)] : [])));
  const policies = new Map(read.map(({ sha256, policy }) => [sha256, policy]));
  const model = ownBase(experiment);
  const bases = [...named.flatMap(({ base }) => (base === null ? [] : [base])), ...(model === null ? [] : [model])];
  const environment = createEnvironment(experiment);
  const judgeFiles = (hashes: readonly string[], judge: (policy: ImportedPolicy) => string | null): (string | null)[] =>
    hashes.flatMap((hash) => policies.get(hash) ?? []).map(judge);
  const complaints = [
    ...judgeFiles(trainedPolicies(experiment), (policy) => misfitOf(policy, experiment)),
    ...judgeFiles(fixedPolicies(experiment), (policy) => strangenessOf(policy, environment)),
  ];
  const misfit = complaints.find((one) => one !== null);
  if (misfit == null) return new Map<string, ImportedPolicy | BaseWeights>([...policies, ...bases]);
  throw new LabError('invalid-experiment', misfit, 'Begin from the experiment that the file comes from.');
}

/** Weights of the language model that the experiment begins from, by their file's hash; null for any other file. */
async function readBase(file: Blob, experiment: Experiment): Promise<readonly [string, BaseWeights] | null> {
  const model = findModel(experiment.policy.model);
  if (model === undefined || file.size > POLICY_LIMITS.bytes) return null;
  const sha256 = await sha256Of(file);
  if (sha256 !== model.sha256) return null;
  const { configuration } = policyShape(experiment, createEnvironment(experiment));
  const folder = folderOfFiles(model.title, { 'model.safetensors': file });
  return [sha256, { weights: await readWeights(folder, configuration, model.tokens) }];
}

/** Weights of the reader's own model that the experiment begins from, where its folder was opened here. */
function ownBase({ policy: { model } }: Pick<Experiment, 'policy'>): readonly [string, BaseWeights] | null {
  const weights = weightsOfModel(model);
  return weights && [model, { weights }];
}

export interface ReadPolicy {
  readonly bytes: Uint8Array;
  /** Hash by which experiments name it: currentHash() of the file's. */
  readonly sha256: string;
  readonly policy: ImportedPolicy;
}

/** Reads a policy. Throws LabError for a file that holds none of this lab, or where the page cannot compute hashes. */
export async function readPolicy(file: Blob): Promise<ReadPolicy> {
  if (file.size > POLICY_LIMITS.bytes) {
    const what = `The file has ${file.size} bytes, more than ${POLICY_LIMITS.bytes}.`;
    throw new LabError('limits', what, 'Choose a smaller file: policies of this lab have a few megabytes.');
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const policy = importOnnx(bytes);
  if (namesWorld(policy.experiment)) await openWorlds();
  return { bytes, policy, sha256: currentHash(await sha256Of(bytes)) };
}

/** Reason why a policy cannot play in a world (other tokens, or episodes longer than its context); null where it can. */
export function strangenessOf(
  { vocabulary, configuration }: Pick<ImportedPolicy, 'vocabulary' | 'configuration'>,
  { words: worldWords, context }: Environment,
): string | null {
  const { words } = composeVocabulary([worldWords]);
  const most = Math.max(words.length, vocabulary.length);
  const first = Array.from({ length: most }, (_, token) => token).find((token) => words[token] !== vocabulary[token]);
  if (first !== undefined) {
    return `It was trained in another world, with other words: its word ${first} is “${excerpt(vocabulary[first] ?? '')}”, here “${words[first] ?? ''}”.`;
  }
  if (configuration.context >= context) return null;
  return `The policy was made for at most ${configuration.context} tokens, and episodes here may have ${context}.`;
}

/** Reason why an experiment's policies cannot begin as this one (it cannot play, or another shape); null where they can. */
function misfitOf(policy: ImportedPolicy, experiment: Experiment): string | null {
  const { configuration } = policy;
  const environment = createEnvironment(experiment);
  const strangeness = strangenessOf(policy, environment);
  if (strangeness !== null) return strangeness;
  // The draw of its first weights does not matter now.
  const {
    initialisation: _,
    initialScale: __,
    adapters,
    ...shape
  } = policyShape(experiment, environment).configuration;
  if (adapters !== undefined) return 'Here adapters are trained, on the language model that the policies begin from.';
  const [theirs, ours] = [entriesOf(configuration), entriesOf(shape)];
  const first = Object.keys(ours).find((key) => ours[key] !== theirs[key]);
  if (first === undefined) return null;
  return `The policy has another shape: its ${first} is ${theirs[first]}, and here ${ours[first]}.`;
}

/** A shape as one list of values. */
const entriesOf = ({ llama, ...shape }: Omit<PolicyConfiguration, 'adapters' | 'initialisation' | 'initialScale'>) =>
  ({ family: llama === undefined ? 'GPT-2' : 'Llama', ...shape, ...llama }) as Readonly<Record<string, unknown>>;
