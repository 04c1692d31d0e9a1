/** Files of a model, wherever they lie: on disk, or in a folder that was opened by hand. */
import { excerpt, LabError } from '../foundation/errors';
import { isJson, type Json } from '../foundation/json';

export interface ModelFile {
  readonly bytes: number;
  /** Bytes from, until before `to`, of the file. */
  read(from: number, to: number): Promise<Uint8Array>;
}

export interface ModelFolder {
  /** Name for messages. */
  readonly name: string;
  /** Opens a file; null where there is none of this name. */
  open(file: string): Promise<ModelFile | null>;
}

/** Files beside a model's weights and config.json that go with it: its tokenizer, chat template and settings of generation. */
export const BESIDE = [
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

/** Letters of a message at most: names and values out of files may be of any length. */
const LONGEST = 300;

/** Tokenizers of large vocabularies have some 20 MB. */
const MOST_JSON = 64 * 2 ** 20;

/** Error of a model that is damaged or not whole. */
export function damaged(what: string, cause?: unknown): LabError {
  return new LabError(
    'invalid-policy',
    excerpt(what, LONGEST),
    'Choose a folder that holds the whole model, unchanged.',
    { cause },
  );
}

/** Error of a model that the lab does not compute. */
export function unsupported(what: string): LabError {
  return new LabError(
    'unsupported',
    excerpt(what, LONGEST),
    'Choose a model of the Llama family without it; docs/llama.md lists what works.',
  );
}

/** A folder of files that are at hand, by name. */
export function folderOfFiles(name: string, files: Readonly<Record<string, Blob>>): ModelFolder {
  return {
    name,
    async open(asked) {
      const file = Object.hasOwn(files, asked) ? files[asked] : undefined;
      if (file === undefined) return null;
      const read = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer());
      return { bytes: file.size, read };
    },
  };
}

/** An object in a JSON file. Throws LabError where the file is missing, too large or no object. */
export async function readJson(folder: ModelFolder, file: string): Promise<Json> {
  const found = await readJsonIfThere(folder, file);
  if (found === null) throw damaged(`${folder.name} has no ${file}.`);
  return found;
}

/** JSON of a file, by readJson; null where there is no such file. */
export async function readJsonIfThere(folder: ModelFolder, file: string): Promise<Json | null> {
  const opened = await folder.open(file);
  if (opened === null) return null;
  if (opened.bytes > MOST_JSON) throw damaged(`${file} of ${folder.name} has ${opened.bytes} bytes, too many.`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(await opened.read(0, opened.bytes)));
  } catch (cause) {
    throw damaged(`${file} of ${folder.name} is no JSON.`, cause);
  }
  if (!isJson(value)) throw damaged(`${file} of ${folder.name} holds no object.`);
  return value;
}
