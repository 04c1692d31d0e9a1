/**
 * `lab export`: one member of a run's checkpoint as a policy's file, ONNX or safetensors, or the run's curves; by the file's ending.
 * A member that began from a language model leaves as a folder where there is no ending.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findModel } from '../../experiment/models';
import { openWorldsOf } from '../../experiment/ownWorld';
import { parseExperiment } from '../../experiment/parse';
import { LabError } from '../../foundation/errors';
import { isJson } from '../../foundation/json';
import { isLicence, LAB_LICENCE, NO_LICENCE } from '../../foundation/licence';
import { exportOnnx, type OnnxPolicy } from '../../onnx/exportOnnx';
import { layoutParameters, parameterSize } from '../../policy/parameters';
import { brokenMembers, findNonFinite, nonFiniteWords } from '../../rl/measure/nonFinite';
import type { Member } from '../../rl/population';
import { aboutPolicy, curvesOf, memberPolicy, resultsOf } from '../../train/policies/member';
import { mergedPolicy } from '../../train/policies/modelFiles';
import type { Checkpoint } from '../../train/run/keep/checkpoint';
import { packSafetensors, unpackSafetensors } from '../../train/run/keep/safetensors';
import { tryOutput, writeOutput } from '../disk';
import { usage } from '../errors';
import { guardOutput, type OutputKind } from '../guardOutput';
import { folderOfModel, openedModel } from '../model/opened';
import { print } from '../output';
import { readRun, runFilesIn } from '../run/runFolder';
import { curveFile, curvesAs, endingOf, isOfCurves, readCurves } from './curveFiles';
import { folderWriter } from './exportFolder';
import { POLICY_FILE } from './policyFile';

export interface ExportArguments {
  member?: string | undefined;
  out?: string | undefined;
  licence?: string | undefined;
  cache?: boolean | undefined;
  metric?: string | undefined;
  model?: string | undefined;
  merge?: boolean | undefined;
  json?: boolean | undefined;
}

const OF_POLICIES = ['member', 'cache', 'licence', 'merge'] as const;
/** Kinds of files by their endings, with the options that each has no use for. */
const USELESS: Readonly<Record<string, readonly (keyof ExportArguments)[]>> = {
  '': ['metric'],
  '.onnx': ['metric'],
  '.svg': OF_POLICIES,
  '.csv': [...OF_POLICIES, 'metric'],
  '.parquet': [...OF_POLICIES, 'metric'],
  '.safetensors': ['cache', 'metric', 'merge'],
};

/** Reads the run and checks the arguments. Returns a function that writes the file and gives the exit code. */
export async function exportCommand(run: string | undefined, options: ExportArguments): Promise<() => Promise<number>> {
  if (run === undefined) throw usage('No run was named.', 'Name the folder that lab run --out wrote.');
  const { out, licence = LAB_LICENCE } = options;
  await openedModel(options.model);
  if (out === undefined) throw usage('No file was named.', 'Add --out policy.onnx, or curves.csv for instance.');
  const ending = out.endsWith('/') ? '' : endingOf(out);
  const useless = Object.hasOwn(USELESS, ending) ? USELESS[ending] : undefined;
  if (ending === '.png')
    throw usage(
      'No pixels are drawn here.',
      'Write .svg, and make pixels of it: rsvg-convert -z 2 chart.svg -o chart.png.',
    );
  if (useless === undefined) {
    const known = Object.keys(USELESS).filter((one) => one !== '');
    throw usage(`Nothing is written as ${ending}.`, `Choose one of: ${known.join(', ')}.`);
  }
  const refused = useless.find((option) => options[option]);
  if (refused !== undefined)
    throw usage(`${out} has no use for --${refused}.`, 'Leave it out, or choose a file of another ending.');
  if (isOfCurves(out)) return exportCurves(run, out, options);
  if (!isLicence(licence)) {
    const advice = `Write one as SPDX does, MIT or “CC-BY-4.0 OR MIT” for instance; ${NO_LICENCE} says nothing.`;
    throw usage(`--licence ${licence} is no licence expression.`, advice);
  }
  const { checkpoint, remarks } = await readRun(run);
  await openWorldsOf(checkpoint.experiment);
  const { policy: shape } = checkpoint.experiment;
  // The experiment is checked when the policy is made.
  const isFolder = ending === '' && isJson(shape) && findModel(String(shape.model)) !== undefined;
  if (!isFolder) await guardFile(out, run);
  const index = findMember(checkpoint, options.member);
  const curve = curvesOf(checkpoint.curves, checkpoint.snapshot.members.length, index);
  const alone = memberPolicy(checkpoint, index, resultsOf(curve), licence);
  const hasAdapter = alone.configuration.adapters !== undefined;
  if (options.merge === true && !hasAdapter) {
    throw usage('This member trained all weights, so there is no adapter to merge.', 'Leave --merge out.');
  }
  // A graph holds all weights.
  const isMerged = hasAdapter && alone.base !== null && (options.merge === true || ending === '.onnx');
  const policy = isMerged ? await mergedPolicy(alone, folderOfModel(alone.base)) : alone;
  const asFolder = isFolder && policy.base !== null;
  if (asFolder && options.cache) throw usage('A folder has no use for --cache.', 'Leave it out, or write a file.onnx.');
  const write = asFolder
    ? await folderWriter(out, policy, policy.base)
    : fileWriter(out, policy, options.cache === true);
  return async () => {
    for (const remark of [...remarks, ...remarksOn(checkpoint, index, curve('gradNorm'))])
      process.stderr.write(`${remark}\n`);
    const { path, bytes } = await write();
    if (checkpoint.backend === 'reference') {
      process.stderr.write('The reference trains in float64; the file holds its weights rounded to float32.\n');
    }
    const { member, update, parameters } = policy;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const facts = { file: path, bytes: bytes.length, sha256, member, update, parameters: parameters.length };
    print(options.json ? `${JSON.stringify(facts)}\n` : `${describe(facts)}\n`);
    return 0;
  };
}

const isTensors = (out: string): boolean => endingOf(out) === '.safetensors';

/** Throws LabError where a policy's file cannot be written, or something else would be lost. */
async function guardFile(out: string, run: string): Promise<void> {
  await guardOutput(out, runFilesIn(run), isTensors(out) ? TENSOR_FILE : POLICY_FILE);
  await tryOutput(out);
}

/** Function that writes a policy's file and returns its path and bytes. */
function fileWriter(
  out: string,
  policy: OnnxPolicy,
  cached: boolean,
): () => Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  return async () => {
    const bytes = isTensors(out) ? tensorsOf(policy) : exportOnnx(policy, { cached });
    await writeOutput(out, bytes);
    return { path: out, bytes };
  };
}

async function exportCurves(
  run: string,
  out: string,
  { metric, json }: ExportArguments,
): Promise<() => Promise<number>> {
  await guardOutput(out, [run, ...runFilesIn(run)], curveFile(out));
  await tryOutput(out);
  const content = await curvesAs(out, await readCurves(run), metric);
  return async () => {
    await writeOutput(out, content);
    print(json ? `${JSON.stringify({ file: out })}\n` : `${out}\n`);
    return 0;
  };
}

/** A policy with its parameters as tensors under their names, matrices [in, out]. */
function tensorsOf(policy: OnnxPolicy): Uint8Array {
  const { parameters, configuration, vocabulary } = policy;
  const arrays = layoutParameters(configuration).specs.map((spec) => ({
    ...spec,
    values: parameters.subarray(spec.offset, spec.offset + parameterSize(spec)),
  }));
  const about = { format: TENSOR_FORMAT, ...aboutPolicy(policy), vocabulary: JSON.stringify(vocabulary) };
  return packSafetensors(about, arrays);
}

const TENSOR_FORMAT = 'unmask-policy';
const TENSOR_FILE: OutputKind = {
  name: 'a policy as safetensors that lab export wrote',
  isOne: async (path) => {
    try {
      return unpackSafetensors(await readFile(path)).metadata.format === TENSOR_FORMAT;
    } catch (cause) {
      if (cause instanceof LabError) return false;
      throw cause;
    }
  },
};

/** Remarks on a member whose training diverged. Throws LabError 'non-finite' if its parameters are of no use. */
function remarksOn({ snapshot, experiment: input }: Checkpoint, index: number, norms: readonly number[]): string[] {
  const { timeline, members, tensors } = snapshot;
  const experiment = parseExperiment({ ...input, timeline });
  const member = members[index] as Member;
  const isBroken = brokenMembers(experiment, members, tensors.parameters).has(index);
  const fault = findNonFinite(norms, experiment, member, isBroken);
  if (fault === null) return [];
  const words = nonFiniteWords(`${member.arm}/${member.seed}`, fault);
  if (!isBroken) return [`${words} The file holds the policy as it was then.`];
  throw new LabError('non-finite', words, 'Choose another member, or a checkpoint from before that.');
}

function describe({ file, bytes, sha256, member, update, parameters }: Written): string {
  return `${file}: ${member.arm}/${member.seed} after ${update} updates, ${parameters} parameters, ${bytes} bytes, SHA-256 ${sha256}`;
}

interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly member: { readonly arm: string; readonly seed: number };
  readonly update: number;
  readonly parameters: number;
}

/** Place of a member that was named. Throws LabError with their names where there is none. */
export function findMember({ snapshot: { members } }: Checkpoint, name: string | undefined): number {
  const names = members.map(({ arm, seed }) => `${arm}/${seed}`);
  const index = names.indexOf(name ?? '');
  if (index >= 0) return index;
  const advice = `Add --member with one of: ${names.join(', ')}.`;
  throw usage(name === undefined ? 'No member was named.' : `The run has no member “${name}”.`, advice);
}
