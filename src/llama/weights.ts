/** A model's weights out of its files, as a policy's parameters, and back into them. */
import { LabError } from '../foundation/errors';
import type { PolicyConfiguration } from '../policy/configuration';
import { type StoredNumbers, type StoredWeights, storedSpecs } from '../policy/frozen';
import { layoutFrozen, type ParameterLayout, type ParameterSpec, parameterSize } from '../policy/parameters';
import { ELEMENT_BYTES, type WeightType } from '../tensor/backend';
import { damaged, type ModelFolder, unsupported } from './folder';
import { type PlacedTensor, placesOf, sidesOf } from './places';
import { type NamedTensor, type NamedTensors, openTensors } from './safetensors';

/** Most parameters, float32 in one array. */
const MOST_PARAMETERS = 2 ** 29;

const EMBEDDING = 'model.embed_tokens.weight';

/** Tensors that files may have besides: tables that are computed, and a copy of a tied head. */
const IDLE = /\.rotary_emb\.inv_freq$|^lm_head\.weight$/;

/**
 * Weights of a policy, each parameter in its files' type. Throws LabError naming the tensor that is missing, of another shape or
 * unknown.
 */
export async function readWeights(
  folder: ModelFolder,
  configuration: PolicyConfiguration,
  tokens: number,
): Promise<StoredWeights> {
  const tensors = await openTensors(folder, 'model');
  const places = placesOf(configuration, tokens);
  const known = new Set(places.map(({ name }) => name));
  const strange = [...tensors.keys()].find((name) => !known.has(name) && !IDLE.test(name));
  if (strange !== undefined)
    throw unsupported(`The weights of ${folder.name} hold ${strange}, which the lab does not compute.`);
  // All of them are looked for before memory is taken for what config.json says.
  const found = places.map((place) => ({ place, tensor: tensorFor(tensors, place.name, place.shape, folder.name) }));
  const copy = configuration.llama?.tied ? tensors.get('lm_head.weight') : undefined;
  if (copy !== undefined) await compareHeads(copy, tensorFor(tensors, EMBEDDING, copy.shape, folder.name));
  const { size } = layoutFrozen(configuration);
  if (size > MOST_PARAMETERS) {
    const what = `The model has ${size.toLocaleString('en')} parameters, more than the lab can hold.`;
    throw new LabError('limits', what, 'Choose a smaller model.');
  }
  const weights = new Map<string, StoredNumbers>();
  for (const spec of storedSpecs(configuration)) {
    const parts = found.filter(({ place }) => place.parameter === spec.name);
    const type = typeOf(spec, parts);
    const memory = sharedBytes(ELEMENT_BYTES[type] * parameterSize(spec));
    const values = type === 'f32' ? new Float32Array(memory) : new Uint16Array(memory);
    for (const { place, tensor } of parts) {
      const stored = await (type === 'f32' ? tensor.read() : tensor.stored());
      scatter(values, place, finite(stored, type, place.name, folder.name));
    }
    weights.set(spec.name, { type, values });
  }
  return weights;
}

/** Type in which a parameter is kept: that of all its tensors; float32 where they differ, and for vectors, which are few numbers. */
function typeOf({ shape }: ParameterSpec, parts: readonly { readonly tensor: NamedTensor }[]): WeightType {
  const [first = null, ...others] = new Set(parts.map(({ tensor }) => tensor.type));
  return first === null || others.length > 0 || shape.length === 1 ? 'f32' : first;
}

/** Memory that all threads can read without a copy; where the page is not isolated, memory of this thread alone. */
const sharedBytes = (bytes: number): ArrayBufferLike =>
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** A file may hold a tied head a second time; another head would be used instead of the embedding. */
async function compareHeads(copy: NamedTensor, embedding: NamedTensor): Promise<void> {
  const [head, tied] = [await copy.read(), await embedding.read()];
  if (head.every((value, i) => Object.is(value, tied[i]))) return;
  throw damaged('config.json ties the head to the embedding, and the files hold another head.');
}

export function tensorFor(tensors: NamedTensors, name: string, shape: readonly number[], where: string): NamedTensor {
  const tensor = tensors.get(name);
  if (tensor === undefined) throw damaged(`The weights of ${where} lack ${name}.`);
  if (tensor.shape.join() !== shape.join()) {
    throw damaged(`${name} of ${where} has the shape [${tensor.shape}], config.json makes it [${shape}].`);
  }
  return tensor;
}

type Numbers = Float32Array | Uint16Array;

/** Bits of a number of two bytes that are all 1 where it is not finite. */
const EXPONENT: Readonly<Record<Exclude<WeightType, 'f32'>, number>> = { bf16: 0x7f80, f16: 0x7c00 };

/** The numbers. Throws LabError naming the tensor where one is not finite: nothing could be learned from it, or drawn. */
export function finite<N extends Numbers>(values: N, type: WeightType, name: string, where: string): N {
  const bits = type === 'f32' ? 0 : EXPONENT[type];
  const isSound = (value: number): boolean => (bits === 0 ? Number.isFinite(value) : (value & bits) !== bits);
  for (let i = 0; i < values.length; i++) {
    if (!isSound(values[i])) throw damaged(`${name} of ${where} holds a number that is not finite.`);
  }
  return values;
}

function scatter(parameter: Numbers, place: PlacedTensor, values: Numbers): void {
  const [rows, columns] = sidesOf(place);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      parameter[place.index(row, column)] = values[row * columns + column];
    }
  }
}

/** A tensor in the files' order out of values [N] by parameter, such as gradients. */
export function inFilesOrder(values: ArrayLike<number>, layout: ParameterLayout, place: PlacedTensor): Float64Array {
  const [rows, columns] = sidesOf(place);
  return filled(new Float64Array(rows * columns), values, layout, place);
}

function filled<A extends Float32Array | Float64Array>(
  tensor: A,
  values: ArrayLike<number>,
  layout: ParameterLayout,
  place: PlacedTensor,
): A {
  const offset = offsetOf(layout, place);
  const [, columns] = sidesOf(place);
  for (let i = 0; i < tensor.length; i++) {
    tensor[i] = values[offset + place.index(Math.floor(i / columns), i % columns)];
  }
  return tensor;
}

/** Tensor of a model's files. */
export interface FileTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array<ArrayBuffer>;
}

/** All tensors of a model's files out of a policy's parameters [N], as readWeights reads them; a critic has no place there. */
export function fileTensors(
  parameters: Float32Array,
  configuration: PolicyConfiguration,
  tokens: number,
): readonly FileTensor[] {
  const layout = layoutFrozen(configuration);
  return placesOf(configuration, tokens).map((place) => {
    const [rows, columns] = sidesOf(place);
    const values = filled(new Float32Array(rows * columns), parameters, layout, place);
    return { name: place.name, shape: place.shape, values };
  });
}

function offsetOf(layout: ParameterLayout, { parameter }: PlacedTensor): number {
  const spec = layout.specs.find(({ name }) => name === parameter);
  if (spec === undefined) throw new RangeError(`The policy has no parameter named ${parameter}.`);
  return spec.offset;
}
