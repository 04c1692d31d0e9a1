/**
 * A member that began from a language model, as the folder that Hugging Face's programs read: the model with its weights as float32
 * under their names there and what lies beside those of the model that it began from, or PEFT's adapter of that model.
 */

import type { BaseModel } from '../../experiment/models';
import type { Json } from '../../foundation/json';
import { adapterConfig, adapterTensors } from '../../llama/adapter';
import { readConfig } from '../../llama/config';
import { BESIDE, damaged, type ModelFolder, readJson, readJsonIfThere } from '../../llama/folder';
import { merged } from '../../llama/model';
import { endsIn } from '../../llama/text';
import { fileTensors, readWeights } from '../../llama/weights';
import { checkFinite } from '../../onnx/exportOnnx';
import type { PolicyConfiguration } from '../../policy/configuration';
import { packSafetensors } from '../run/keep/safetensors';
import { aboutPolicy, type MemberPolicy } from './member';

type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Format that other programs look for in a file's head. */
export const FILE_FORMAT = 'pt';

interface Weights {
  readonly parameters: Float32Array;
  readonly configuration: PolicyConfiguration;
}

/** File of the weights in a folder: of a model, or of an adapter alone. */
export const weightsFile = ({ configuration }: Pick<Weights, 'configuration'>): string =>
  configuration.adapters === undefined ? 'model.safetensors' : 'adapter_model.safetensors';

export interface AboutWeights {
  /** Texts beside the tensors. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Text for people on the origin of the weights. The card of the model that they began from follows, its licence with it. */
  readonly card: string;
  /** Name of the model below an adapter. */
  readonly below: string;
  /** Token that the weights were taught to end a text with. */
  readonly end?: number | undefined;
}

/** A member that trained an adapter, with all weights. `base`: the model that it began from. */
export async function mergedPolicy(policy: MemberPolicy, base: ModelFolder): Promise<MemberPolicy> {
  checkFinite(policy.parameters);
  const { adapters: _, ...whole } = policy.configuration;
  const { tokens } = readConfig(await readJson(base, 'config.json'));
  const frozen = await readWeights(base, whole, tokens);
  const { parameters, configuration } = merged({ ...policy, tokens, frozen });
  return { ...policy, parameters, configuration };
}

/** Files of a member's folder. `base`: the model that it began from. Throws LabError 'non-finite' if a parameter is not finite. */
export function modelFiles(policy: MemberPolicy, base: ModelFolder): Promise<Files> {
  const about = { metadata: aboutPolicy(policy), card: cardOf(policy, base), below: base.name };
  return weightsFolder(policy, base, about);
}

/** Files by name, the configuration last: without it a folder is no model. Throws LabError as modelFiles() does. */
export async function weightsFolder(
  { parameters, configuration }: Weights,
  base: ModelFolder,
  { metadata, card, below, end }: AboutWeights,
): Promise<Files> {
  checkFinite(parameters);
  const name = weightsFile({ configuration });
  const before = await bytesOf(base, 'README.md');
  const its =
    before === null
      ? ''
      : `\nOf the model that it began from, its own text says:\n\n${new TextDecoder().decode(before)}`;
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const pack = (tensors: ReturnType<typeof fileTensors>) =>
    packSafetensors({ format: FILE_FORMAT, ...metadata }, tensors);
  if (configuration.adapters !== undefined) {
    files.set(name, pack(adapterTensors(parameters, configuration))).set('README.md', encode(card + its));
    return files.set('adapter_config.json', encodedJson(adapterConfig(configuration, below)));
  }
  const config = await readJson(base, 'config.json');
  const tensors = fileTensors(parameters, configuration, readConfig(config).tokens);
  files.set(name, pack(tensors)).set('README.md', encode(card + its));
  for (const beside of BESIDE) {
    const bytes = await bytesOf(base, beside);
    if (bytes !== null) files.set(beside, bytes);
  }
  if (!files.has('tokenizer.json')) throw damaged(`${base.name} has no tokenizer.json.`);
  const generation = await readJsonIfThere(base, 'generation_config.json');
  if (generation !== null && !namesEnd(generation, end)) {
    files.set('generation_config.json', encodedJson(endingWith(generation, end)));
  }
  const types = ['dtype', 'torch_dtype'].filter((type) => type in config);
  const settings = { ...endingWith(config, end), ...Object.fromEntries(types.map((type) => [type, 'float32'])) };
  return files.set('config.json', encodedJson(settings));
}

const namesEnd = (settings: Json, end: number | undefined): boolean =>
  end === undefined || endsIn(settings).includes(end);

/** Settings that name the token among those that end a text, first where they did not, as transformers' Trainer has them. */
const endingWith = (settings: Json, end: number | undefined): Json =>
  namesEnd(settings, end) ? settings : { ...settings, eos_token_id: [end, ...endsIn(settings)] };

/** A model of the reader's own has no file here: its hash is that of several. */
const hashOf = ({ file, sha256 }: BaseModel): string =>
  file === '' ? `known to the lab as ${sha256}` : `SHA-256 of its model.safetensors: ${sha256}`;

function cardOf(policy: MemberPolicy, base: ModelFolder): string {
  const { member, update, environment, experiment, licence, configuration } = policy;
  const hash = policy.base === null ? '' : ` (${hashOf(policy.base)})`;
  const what =
    configuration.adapters === undefined
      ? `Weights that were trained in the world “${environment.id}” by the lab Unmask, from ${base.name}${hash}.`
      : `A low-rank adapter of ${base.name}${hash}, trained in the world “${environment.id}” by the lab Unmask.`;
  return `# ${member.arm}, seed ${member.seed}, after ${update} updates

${what} Licence: ${licence}. The experiment is the fragment of a link to the lab:

    #${experiment}
`;
}

async function bytesOf(folder: ModelFolder, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await folder.open(name);
  return file === null ? null : Uint8Array.from(await file.read(0, file.bytes));
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const encodedJson = (value: object): Uint8Array<ArrayBuffer> => encode(`${JSON.stringify(value, null, 2)}\n`);
