/** A model's weights out of its files, as a policy's parameters, and back in the files' order. */
import type { PolicyConfiguration } from '../policy/configuration';
import { layoutParameters, type ParameterLayout } from '../policy/parameters';
import { damaged, type ModelFolder, unsupported } from './folder';
import { type PlacedTensor, placesOf, sidesOf } from './places';
import { type NamedTensor, type NamedTensors, openTensors } from './safetensors';

/** Tensors that files may have besides: tables that are computed, and a copy of a tied head. */
const IDLE = /\.rotary_emb\.inv_freq$|^lm_head\.weight$/;

/** Parameters [N] of a policy. Throws LabError naming the tensor that is missing, of another shape or unknown. */
export async function readWeights(
  folder: ModelFolder,
  configuration: PolicyConfiguration,
  tokens: number,
): Promise<Float32Array> {
  const tensors = await openTensors(folder, 'model');
  const places = placesOf(configuration, tokens);
  const known = new Set(places.map(({ name }) => name));
  const strange = [...tensors.keys()].find((name) => !known.has(name) && !IDLE.test(name));
  if (strange !== undefined)
    throw unsupported(`The weights of ${folder.name} hold ${strange}, which the lab does not compute.`);
  const layout = layoutParameters(configuration);
  const parameters = new Float32Array(layout.size);
  for (const place of places) {
    const values = await tensorFor(tensors, place.name, place.shape, folder.name);
    scatter(parameters, layout, place, await values.read());
  }
  return parameters;
}

export async function tensorFor(
  tensors: NamedTensors,
  name: string,
  shape: readonly number[],
  where: string,
): Promise<NamedTensor> {
  const tensor = tensors.get(name);
  if (tensor === undefined) throw damaged(`The weights of ${where} lack ${name}.`);
  if (tensor.shape.join() !== shape.join()) {
    throw damaged(`${name} of ${where} has the shape [${tensor.shape}], config.json makes it [${shape}].`);
  }
  return tensor;
}

function scatter(parameters: Float32Array, layout: ParameterLayout, place: PlacedTensor, values: Float32Array): void {
  const offset = offsetOf(layout, place);
  const [rows, columns] = sidesOf(place);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      parameters[offset + place.index(row, column)] = values[row * columns + column];
    }
  }
}

/** A tensor in the files' order out of values [N] by parameter, such as gradients. */
export function inFilesOrder(values: ArrayLike<number>, layout: ParameterLayout, place: PlacedTensor): Float64Array {
  const offset = offsetOf(layout, place);
  const [rows, columns] = sidesOf(place);
  return Float64Array.from({ length: rows * columns }, (_, i) => {
    return values[offset + place.index(Math.floor(i / columns), i % columns)];
  });
}

function offsetOf(layout: ParameterLayout, { parameter }: PlacedTensor): number {
  const spec = layout.specs.find(({ name }) => name === parameter);
  if (spec === undefined) throw new RangeError(`The policy has no parameter named ${parameter}.`);
  return spec.offset;
}
