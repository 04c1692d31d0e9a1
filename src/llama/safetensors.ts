/**
 * Named tensors of a model (github.com/huggingface/safetensors): one file, or shards that an index lists. A file's head is read
 * when it is opened, numbers only when they are asked for.
 */
import { isJson, type Json } from '../foundation/json';
import { ELEMENT_BYTES, type WeightType } from '../tensor/backend';
import { inFloats } from '../tensor/halves';
import { damaged, type ModelFile, type ModelFolder, readJsonIfThere, unsupported } from './folder';

/** Types of the numbers that are read. */
const TYPES = { F32: 'f32', F16: 'f16', BF16: 'bf16' } as const;

const LENGTH_BYTES = 8;
const MOST_HEADER = 64 * 2 ** 20;

export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Type of its numbers; null for one that is not read. */
  readonly type: WeightType | null;
  /**
   * All of its numbers, to be read and not changed, widened to float32, which is exact. Rejects with LabError for numbers that are
   * not read.
   */
  read(): Promise<Float32Array<ArrayBuffer>>;
  /** The same as the file holds them. */
  stored(): Promise<Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>;
}

export type NamedTensors = ReadonlyMap<string, NamedTensor>;

/** Opens `stem`.safetensors, or the shards of `stem`.safetensors.index.json. */
export async function openTensors(folder: ModelFolder, stem: string): Promise<NamedTensors> {
  const whole = `${stem}.safetensors`;
  const file = await folder.open(whole);
  if (file !== null) return readHeader(file, `${whole} of ${folder.name}`);
  const index = await readJsonIfThere(folder, `${whole}.index.json`);
  if (index === null) throw damaged(`${folder.name} has neither ${whole} nor ${whole}.index.json.`);
  return openShards(folder, index);
}

async function openShards(folder: ModelFolder, { weight_map: map }: Json): Promise<NamedTensors> {
  if (!isJson(map)) throw damaged(`The index of ${folder.name} has no weight_map.`);
  const found = new Map<string, NamedTensor>();
  const shards = new Map<string, NamedTensors>();
  for (const [name, shard] of Object.entries(map)) {
    if (typeof shard !== 'string' || /[/\\]/.test(shard)) throw damaged(`The index names no file for ${name}.`);
    let tensors = shards.get(shard);
    if (tensors === undefined) {
      const file = await folder.open(shard);
      if (file === null) throw damaged(`${folder.name} lacks ${shard}, which its index names.`);
      tensors = await readHeader(file, `${shard} of ${folder.name}`);
      shards.set(shard, tensors);
    }
    const tensor = tensors.get(name);
    if (tensor === undefined) throw damaged(`${shard} lacks ${name}, which the index has there.`);
    found.set(name, tensor);
  }
  return found;
}

async function readHeader(file: ModelFile, where: string): Promise<NamedTensors> {
  const head = await file.read(0, Math.min(LENGTH_BYTES, file.bytes));
  if (head.length < LENGTH_BYTES) throw damaged(`${where} is too short.`);
  const length = Number(new DataView(head.buffer, head.byteOffset, LENGTH_BYTES).getBigUint64(0, true));
  const begin = LENGTH_BYTES + length;
  if (length > MOST_HEADER || begin > file.bytes) throw damaged(`${where} is cut short, or no safetensors file.`);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(await file.read(LENGTH_BYTES, begin)));
  } catch (cause) {
    throw damaged(`The head of ${where} cannot be read.`, cause);
  }
  if (!isJson(header)) throw damaged(`The head of ${where} cannot be read.`);
  const tensors = new Map<string, NamedTensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name !== '__metadata__') tensors.set(name, tensorOf(file, name, entry, begin, where));
  }
  return tensors;
}

const isRead = (type: string): type is keyof typeof TYPES => Object.hasOwn(TYPES, type);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const areCounts = (value: unknown): value is number[] => Array.isArray(value) && value.every(isCount);

function tensorOf(file: ModelFile, name: string, entry: unknown, begin: number, where: string): NamedTensor {
  const { dtype, shape, data_offsets: offsets } = isJson(entry) ? entry : {};
  if (!areCounts(shape) || !areCounts(offsets) || offsets.length !== 2)
    throw damaged(`${name} in ${where} is not described.`);
  const numbers = String(dtype);
  // Refused only when it is read: files may hold what is not needed.
  if (!isRead(numbers)) {
    const refuse = () =>
      Promise.reject(
        unsupported(`${name} in ${where} holds ${numbers}; the lab reads ${Object.keys(TYPES).join(', ')}.`),
      );
    return { name, shape, type: null, read: refuse, stored: refuse };
  }
  const type = TYPES[numbers];
  const [from, to] = offsets.map((offset) => begin + offset);
  const bytes = shape.reduce((a, b) => a * b, ELEMENT_BYTES[type]);
  if (to - from !== bytes || to > file.bytes) throw damaged(`${name} in ${where} is not whole.`);
  const stored = async (): Promise<Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>> => {
    const found = await file.read(from, to);
    if (found.length !== bytes) throw damaged(`${name} in ${where} could not be read to its end.`);
    // Copied where the file's bytes are not aligned, or shared.
    const isAligned = found.byteOffset % ELEMENT_BYTES[type] === 0 && found.buffer instanceof ArrayBuffer;
    const { buffer, byteOffset } = (isAligned ? found : Uint8Array.from(found)) as Uint8Array<ArrayBuffer>;
    const count = bytes / ELEMENT_BYTES[type];
    return type === 'f32' ? new Float32Array(buffer, byteOffset, count) : new Uint16Array(buffer, byteOffset, count);
  };
  const read = async (): Promise<Float32Array<ArrayBuffer>> => inFloats(await stored(), type);
  return { name, shape, type, read, stored };
}
