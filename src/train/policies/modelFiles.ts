/**
 * A member that began from a language model, as the folder that Hugging Face's programs read: its weights as float32 under their
 * names there, and what lies beside the weights of the model that it began from.
 */

import { readConfig } from '../../llama/config';
import { damaged, type ModelFolder, readJson } from '../../llama/folder';
import { fileTensors } from '../../llama/weights';
import { checkFinite } from '../../onnx/exportOnnx';
import { packSafetensors } from '../run/safetensors';
import { aboutPolicy, type MemberPolicy } from './member';

export const WEIGHTS = 'model.safetensors';

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

/** Other programs ask for a format of their own. */
export const FILE_FORMAT = 'pt';

/**
 * Files of the folder by name, config.json last: without it a folder is no model. `base`: the model that the member began from.
 * Throws LabError 'non-finite' if a parameter is not finite.
 */
export async function modelFiles(policy: MemberPolicy, base: ModelFolder): Promise<ReadonlyMap<string, Uint8Array>> {
  const { parameters, configuration } = policy;
  checkFinite(parameters);
  const config = await readJson(base, 'config.json');
  const tensors = fileTensors(parameters, configuration, readConfig(config).tokens);
  const files = new Map([
    [WEIGHTS, packSafetensors({ format: FILE_FORMAT, ...aboutPolicy(policy) }, tensors)],
    ['README.md', encoded(await cardOf(policy, base))],
  ]);
  for (const name of TAKEN_OVER) {
    const bytes = await bytesOf(base, name);
    if (bytes !== null) files.set(name, bytes);
  }
  if (!files.has('tokenizer.json')) throw damaged(`${base.name} has no tokenizer.json.`);
  const types = ['dtype', 'torch_dtype'].filter((name) => name in config);
  const own = { ...config, ...Object.fromEntries(types.map((name) => [name, 'float32'])) };
  return files.set('config.json', encoded(`${JSON.stringify(own, null, 2)}\n`));
}

/** Text for people: where the weights come from, and the text of the model that they began as, its licence with it. */
async function cardOf({ member, update, environment, experiment, licence }: MemberPolicy, base: ModelFolder) {
  const before = await bytesOf(base, 'README.md');
  return `# ${member.arm}, seed ${member.seed}, after ${update} updates

Weights that were trained in the world “${environment.id}” by the lab Unmask, from ${base.name}. Their licence: ${licence}. The
experiment is the fragment of a link to the lab:

    #${experiment}
${before === null ? '' : `\nOf the model that they began as, its own text says:\n\n${new TextDecoder().decode(before)}`}`;
}

async function bytesOf(folder: ModelFolder, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await folder.open(name);
  return file === null ? null : Uint8Array.from(await file.read(0, file.bytes));
}

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
