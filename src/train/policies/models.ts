/**
 * Language models of a user that are open in this thread: a folder that was opened by hand, known by the SHA-256 of all
 * that its numbers depend on: weights, configuration and tokenizer. The shape and the tokenizer, which an experiment
 * needs besides, are kept with that.
 */
import { openTokenizer } from '../../environments/own/text/tokenizers';
import { type BaseModel, openModel } from '../../experiment/models';
import { LabError } from '../../foundation/errors';
import { isJson, type Json } from '../../foundation/json';
import { sha256Of } from '../../foundation/sha256';
import { ADAPTER_CONFIG, adapted, readAdapter } from '../../llama/adapter';
import { readConfig } from '../../llama/config';
import { damaged, type ModelFolder, readJson, readJsonIfThere } from '../../llama/folder';
import { openPacked } from '../../llama/packed';
import { endsIn, tokensOf } from '../../llama/text';
import { readWeights } from '../../llama/weights';
import type { AdapterForm, PolicyConfiguration } from '../../policy/configuration';
import { type StoredNumbers, type StoredWeights, storedBytes } from '../../policy/frozen';
import { layoutParameters, parameterSize } from '../../policy/parameters';
import { ADAPTED_MAPS } from '../population/shape';

/** All of a model but its weights: another thread knows it by this. */
export interface OwnModel {
  readonly model: BaseModel;
  /** `tokenizer.json` and `tokenizer_config.json`. */
  readonly tokenizer: Json;
  readonly tokenizerConfig: Json;
}

const folders = new Map<string, { readonly folder: ModelFolder; readonly weights: StoredWeights }>();
const known = new Map<string, OwnModel>();

/** Opens a folder. Throws LabError for a part that is missing, damaged or not supported, by name. */
export async function openFolder(folder: ModelFolder): Promise<OwnModel> {
  const hasAdapter = (await folder.open(ADAPTER_CONFIG)) !== null;
  if (hasAdapter && (await folder.open('config.json')) === null) {
    const what = `${folder.name} holds an adapter, and not the model below it.`;
    throw new LabError('unsupported', what, `Lay the model’s files beside it, or merge the two by ${MERGE}`);
  }
  const config = await readJson(folder, 'config.json');
  const shape = readConfig(config);
  const tokenizer = await readJson(folder, 'tokenizer.json');
  const template = await folder.open(TEMPLATE);
  const tokenizerConfig = {
    ...(await readJsonIfThere(folder, 'tokenizer_config.json')),
    eos_token_id: endsIn(config),
    ...(template && { chat_template: new TextDecoder().decode(await template.read(0, template.bytes)) }),
  };
  await tokensOf(folder.name, tokenizer, tokenizerConfig, shape.tokens);
  const { layers, width, heads, llama } = shape.policy(shape.longest);
  if (llama === undefined) throw new LabError('internal', 'A model has no shape.', 'Please report this.');
  // Weights are read whole, so that their faults are told now.
  const weights = await readWeights(folder, shape.policy(shape.longest), shape.tokens);
  const beside = hasAdapter ? await readBeside(folder, shape.policy(shape.longest)) : null;
  const sha256 = await modelHash(folder);
  const { tokens, longest } = shape;
  const nowhere = { folder: '', file: '', beside: [] };
  const model = {
    id: sha256,
    title: folder.name,
    ...nowhere,
    sha256,
    bytes: storedBytes(weights),
    ...(beside && { adapter: beside.settings }),
    tokens,
    longest,
    layers,
    width,
    heads,
    llama,
  };
  const opened = { model, tokenizer, tokenizerConfig };
  await knowModel(opened);
  folders.set(sha256, { folder, weights: new Map([...weights, ...(beside?.numbers ?? [])]) });
  return opened;
}

/** Model of a folder that is packed in one file. Throws LabError for any other file. */
export async function openPackedModel(file: Blob): Promise<OwnModel> {
  const folder = await openPacked(file);
  if (folder === null) throw damaged('The file holds no folder of a model.');
  return openFolder(folder);
}

/** Opens the models among files. Returns the other files. */
export async function openPackedIn(files: readonly Blob[]): Promise<Blob[]> {
  const unpacked: Blob[] = [];
  for (const file of files) {
    const folder = await openPacked(file);
    if (folder === null) unpacked.push(file);
    else await openFolder(folder);
  }
  return unpacked;
}

/** Makes the model known to this thread. */
export async function knowModel(opened: OwnModel): Promise<void> {
  const { model, tokenizer, tokenizerConfig } = opened;
  await openTokenizer({ model: model.id, name: model.title, count: model.tokens, tokenizer, tokenizerConfig });
  openModel(model);
  known.set(model.id, opened);
}

export const knownModel = (id: string): OwnModel | null => known.get(id) ?? null;

/** Folder of a model that was opened in this thread. */
export const folderOf = (id: string): ModelFolder | null => folders.get(id)?.folder ?? null;

/** Weights of such a model. */
export const weightsOfModel = (id: string): StoredWeights | null => folders.get(id)?.weights ?? null;

const WHOLE = 'model.safetensors';
const INDEX = `${WHOLE}.index.json`;

/** Files besides the weights on which a run's numbers depend. */
const TEMPLATE = 'chat_template.jinja';
const MERGE = 'merge_and_unload of PEFT.';
const SHAPING = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  TEMPLATE,
  ADAPTER_CONFIG,
  'adapter_model.safetensors',
];

/** An adapter beside a model: its settings in an experiment, and its numbers by parameter. */
async function readBeside(folder: ModelFolder, model: PolicyConfiguration) {
  const configuration = await adapted(folder, model);
  const { rank, factor, maps } = configuration.adapters as AdapterForm;
  const settings = Object.entries(ADAPTED_MAPS).flatMap(([name, adapted]) => {
    const isSame = adapted.length === maps.length && adapted.every((map) => maps.includes(map));
    const adapterMaps = name as keyof typeof ADAPTED_MAPS;
    return isSame ? [{ adapterRank: rank, adapterAlpha: Number((factor * rank).toPrecision(12)), adapterMaps }] : [];
  })[0];
  if (settings === undefined) {
    const what = `The adapter in ${folder.name} is of ${maps.join(', ')}; policies train those of q and v, of attention or of all maps.`;
    throw new LabError('unsupported', what, `Merge it into the model by ${MERGE}`);
  }
  const parameters = await readAdapter(folder, configuration);
  const numbers = layoutParameters(configuration).specs.flatMap((spec): [string, StoredNumbers][] => {
    const values = parameters.subarray(spec.offset, spec.offset + parameterSize(spec));
    return spec.name.startsWith('value.') ? [] : [[spec.name, { type: 'f32', values }]];
  });
  return { settings, numbers };
}

/**
 * SHA-256 of the files that are read, one after the other: the weights (also where an index lies beside them) or the shards by
 * name, then those that say how they compute and what their tokens are.
 */
async function modelHash(folder: ModelFolder): Promise<string> {
  const index = (await folder.open(WHOLE)) === null ? await readJsonIfThere(folder, INDEX) : null;
  const map = index === null ? {} : index.weight_map;
  const shards = isJson(map) ? [...new Set(Object.values(map).map(String))].sort() : [];
  const names = index === null ? [WHOLE] : shards;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const name of names) {
    const file = await folder.open(name);
    if (file === null) throw damaged(`${folder.name} has no ${name}.`);
    parts.push((await file.read(0, file.bytes)) as Uint8Array<ArrayBuffer>);
  }
  for (const name of SHAPING) {
    const file = await folder.open(name);
    if (file !== null) parts.push((await file.read(0, file.bytes)) as Uint8Array<ArrayBuffer>);
  }
  return sha256Of(new Blob(parts));
}
