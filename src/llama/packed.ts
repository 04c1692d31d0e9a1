/** A model's folder as one file, as a browser keeps it: a line of JSON that lists its files, then those. */
import { isJson } from '../foundation/json';
import { BESIDE, damaged, folderOfFiles, type ModelFolder } from './folder';

/** Files of a folder that belong to a model; README.md says its licence. */
const NAMED: readonly string[] = [
  'config.json',
  'adapter_config.json',
  'model.safetensors.index.json',
  'README.md',
  ...BESIDE,
];
const isOfModel = (name: string): boolean =>
  NAMED.includes(name) || /^(model|adapter_model)[\w.-]*\.safetensors$/.test(name);

/** First characters of such a file. */
const MARK = '{"unmask":"model",';
/** Bytes of the line at most. */
const MOST_LINE = 2 ** 16;

/** `name`: of the folder. Files that belong to no model are left out. */
export function packModel(name: string, files: Readonly<Record<string, Blob>>): File {
  const names = Object.keys(files).filter(isOfModel).sort();
  const parts = names.map((one) => files[one] as Blob);
  const list = JSON.stringify({ name, files: names.map((one, at) => [one, parts[at]?.size]) });
  return new File([`${MARK}${list.slice(1)}\n`, ...parts], name);
}

/** The folder; null for a file that is none. Throws LabError for one that is damaged. */
export async function openPacked(file: Blob): Promise<ModelFolder | null> {
  const start = await file.slice(0, MOST_LINE).text();
  if (!start.startsWith(MARK)) return null;
  const end = start.indexOf('\n');
  const broken = (cause?: unknown) => damaged('The kept copy of a model’s folder is damaged.', cause);
  let told: unknown;
  try {
    told = JSON.parse(start.slice(0, end));
  } catch (cause) {
    throw broken(cause);
  }
  if (!isJson(told) || typeof told.name !== 'string' || !Array.isArray(told.files)) throw broken();
  let at = new TextEncoder().encode(start.slice(0, end + 1)).length;
  const files: Record<string, Blob> = {};
  for (const entry of told.files as unknown[]) {
    const [name, bytes] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof name !== 'string' || !isOfModel(name) || !Number.isSafeInteger(bytes) || Number(bytes) < 0)
      throw broken();
    files[name] = file.slice(at, at + Number(bytes));
    at += Number(bytes);
  }
  if (at !== file.size) throw broken();
  return folderOfFiles(told.name, files);
}
