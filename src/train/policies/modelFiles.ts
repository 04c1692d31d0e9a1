/**
 * A member that began from a language model, as the folder that Hugging Face's programs read: the model with its weights as float32
 * under their names there and what lies beside those of the model that it began from, or PEFT's adapter of that model.
 */
import { adapterConfig, adapterTensors } from '../../llama/adapter';
import { readConfig } from '../../llama/config';
import { damaged, type ModelFolder, readJson } from '../../llama/folder';
import { fileTensors } from '../../llama/weights';
import { checkFinite } from '../../onnx/exportOnnx';
import { packSafetensors } from '../run/safetensors';
import { aboutPolicy, type MemberPolicy } from './member';

type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Files that are taken over, where the model has them. */
const TAKEN_OVER = [
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'tokenizer.model',
  'vocab.json',
  'merges.txt',
  'chat_template.jinja',
  'generation_config.json',
] as const;

/** What other programs ask for in a file's head. */
export const FILE_FORMAT = 'pt';

/** File of the weights in the folder of a member. */
export const weightsFile = ({ configuration }: MemberPolicy): string =>
  configuration.adapters === undefined ? 'model.safetensors' : 'adapter_model.safetensors';

/**
 * Files of the folder by name, the configuration last: without it a folder is no model. `base`: the model that the member began
 * from. Throws LabError 'non-finite' if a parameter is not finite.
 */
export async function modelFiles(policy: MemberPolicy, base: ModelFolder): Promise<Files> {
  checkFinite(policy.parameters);
  return policy.configuration.adapters === undefined ? wholeModel(policy, base) : adapterAlone(policy, base);
}

async function wholeModel(policy: MemberPolicy, base: ModelFolder): Promise<Files> {
  const config = await readJson(base, 'config.json');
  const tensors = fileTensors(policy.parameters, policy.configuration, readConfig(config).tokens);
  const files = new Map([[weightsFile(policy), packed(policy, tensors)], await cardOf(policy, base)]);
  for (const name of TAKEN_OVER) {
    const bytes = await bytesOf(base, name);
    if (bytes !== null) files.set(name, bytes);
  }
  if (!files.has('tokenizer.json')) throw damaged(`${base.name} has no tokenizer.json.`);
  const types = ['dtype', 'torch_dtype'].filter((name) => name in config);
  const own = { ...config, ...Object.fromEntries(types.map((name) => [name, 'float32'])) };
  return files.set('config.json', encodedJson(own));
}

async function adapterAlone(policy: MemberPolicy, base: ModelFolder): Promise<Files> {
  const { parameters, configuration } = policy;
  return new Map([
    [weightsFile(policy), packed(policy, adapterTensors(parameters, configuration))],
    await cardOf(policy, base),
    ['adapter_config.json', encodedJson(adapterConfig(configuration, policy.base?.id ?? base.name))],
  ]);
}

function packed(policy: MemberPolicy, tensors: ReturnType<typeof fileTensors>): Uint8Array<ArrayBuffer> {
  return packSafetensors({ format: FILE_FORMAT, ...aboutPolicy(policy) }, tensors);
}

/** Text for people: where the weights come from, and the text of the model that they began as, its licence with it. */
async function cardOf(policy: MemberPolicy, base: ModelFolder): Promise<[string, Uint8Array<ArrayBuffer>]> {
  const { member, update, environment, experiment, licence, configuration } = policy;
  const before = await bytesOf(base, 'README.md');
  const hash = policy.base === null ? '' : ` (SHA-256 of its model.safetensors: ${policy.base.sha256})`;
  const what =
    configuration.adapters === undefined
      ? `Weights that were trained in the world “${environment.id}” by the lab Unmask, from ${base.name}${hash}.`
      : `A low-rank adapter of ${base.name}${hash}, trained in the world “${environment.id}” by the lab Unmask.`;
  const text = `# ${member.arm}, seed ${member.seed}, after ${update} updates

${what} Licence: ${licence}. The experiment is the fragment of a link to the lab:

    #${experiment}
${before === null ? '' : `\nOf the model that it began from, its own text says:\n\n${new TextDecoder().decode(before)}`}`;
  return ['README.md', encoded(text)];
}

async function bytesOf(folder: ModelFolder, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await folder.open(name);
  return file === null ? null : Uint8Array.from(await file.read(0, file.bytes));
}

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const encodedJson = (value: object): Uint8Array<ArrayBuffer> => encoded(`${JSON.stringify(value, null, 2)}\n`);
