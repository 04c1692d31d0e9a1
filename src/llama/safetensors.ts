/**
 * Named tensors of a model (github.com/huggingface/safetensors): one file, or shards that an index lists. A file's head is read
 * when it is opened, numbers only when they are asked for.
 */
import { damaged, isJson, type Json, type ModelFile, type ModelFolder, readJsonIfThere, unsupported } from './folder';

/** Sizes of the numbers that are read, in bytes. */
const BYTES = { F32: 4, F16: 2, BF16: 2 } as const;
type NumberType = keyof typeof BYTES;

const LENGTH_BYTES = 8;
const MOST_HEADER = 64 * 2 ** 20;

export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** All of its numbers, widened to float32, which is exact. Rejects with LabError for numbers that are not read. */
  read(): Promise<Float32Array<ArrayBuffer>>;
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

const isRead = (type: string): type is NumberType => Object.hasOwn(BYTES, type);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const areCounts = (value: unknown): value is number[] => Array.isArray(value) && value.every(isCount);

function tensorOf(file: ModelFile, name: string, entry: unknown, begin: number, where: string): NamedTensor {
  const { dtype, shape, data_offsets: offsets } = isJson(entry) ? entry : {};
  if (!areCounts(shape) || !areCounts(offsets) || offsets.length !== 2)
    throw damaged(`${name} in ${where} is not described.`);
  const type = String(dtype);
  // Refused only when it is read: files may hold what is not needed.
  if (!isRead(type)) {
    const refuse = () =>
      unsupported(`${name} in ${where} holds ${type}; the lab reads ${Object.keys(BYTES).join(', ')}.`);
    return { name, shape, read: () => Promise.reject(refuse()) };
  }
  const [from, to] = offsets.map((offset) => begin + offset);
  const bytes = shape.reduce((a, b) => a * b, BYTES[type]);
  if (to - from !== bytes || to > file.bytes) throw damaged(`${name} in ${where} is not whole.`);
  const read = async (): Promise<Float32Array<ArrayBuffer>> => {
    const found = await file.read(from, to);
    if (found.length !== bytes) throw damaged(`${name} in ${where} could not be read to its end.`);
    return widened(found, type);
  };
  return { name, shape, read };
}

/** Little-endian numbers as float32. */
export function widened(bytes: Uint8Array, type: NumberType): Float32Array<ArrayBuffer> {
  // Copied: a file's bytes need not be aligned, and may be shared.
  const own = Uint8Array.from(bytes).buffer;
  if (type === 'F32') return new Float32Array(own);
  const halves = new Uint16Array(own);
  const bits = new Uint32Array(halves.length);
  if (type === 'BF16') for (let i = 0; i < bits.length; i++) bits[i] = halves[i] << 16;
  else for (let i = 0; i < bits.length; i++) bits[i] = bitsOfHalf(halves[i]);
  return new Float32Array(bits.buffer);
}

/** Bits of the float32 that equals a float16: 1 sign, 5 exponent with bias 15, 10 fraction. */
function bitsOfHalf(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return sign | 0x7f800000 | (fraction << 13);
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction === 0) return sign;
  // Subnormal: fraction · 2⁻²⁴, normalised.
  const shift = Math.clz32(fraction) - 21;
  return sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}
