/**
 * Place of each tensor of a Llama's files among a policy's parameters. Files hold a map as [out, in], the policy as
 * [in, out]; queries, keys and values are one map there, and so are gate and up. Rotary positions turn elements i and i
 * + D/2 of a head in the files' order and neighbours in the lab's, so rows of queries and keys change places.
 */
import {
  type AdaptableMap,
  adaptableMaps,
  type BlockMap,
  blockWidths,
  headsOf,
  isBiased,
  type PolicyConfiguration,
} from '../policy/configuration';

/** A map of the files. */
export interface Module extends AdaptableMap {
  /** Column of the policy's map, counted from `first`, where output `row` lies. */
  readonly column: (row: number) => number;
}

/** Maps of every layer. */
export function modulesOf(configuration: PolicyConfiguration): readonly Module[] {
  const { width } = headsOf(configuration);
  const half = width / 2;
  const same = (row: number): number => row;
  const paired = (row: number): number => {
    const i = row % width;
    return row - i + (i < half ? 2 * i : 2 * (i - half) + 1);
  };
  return adaptableMaps(configuration).map((map) => ({ ...map, column: /\.[qk]_proj$/.test(map.name) ? paired : same }));
}

export interface PlacedTensor {
  /** Name in the files. */
  readonly name: string;
  /** Shape in the files. */
  readonly shape: readonly number[];
  /** The policy's parameter. */
  readonly parameter: string;
  /** Index in the parameter of the element at [row, column] of the files' tensor; a vector has columns alone. */
  readonly index: (row: number, column: number) => number;
}

/** All tensors of a model's files. tokens: its vocabulary, at most the policy's. */
export function placesOf(configuration: PolicyConfiguration, tokens: number): readonly PlacedTensor[] {
  const { layers, width: C, vocabulary: V, llama } = configuration;
  const widths = blockWidths(configuration);
  const wide: Readonly<Record<BlockMap, number>> = { qkv: widths.qkv, projection: C, up: widths.up, down: C };
  const vector = (name: string, parameter: string, shape: number): PlacedTensor => ({
    name,
    shape: [shape],
    parameter,
    index: (_, column) => column,
  });
  const head = (name: string): PlacedTensor => ({
    name,
    shape: [tokens, C],
    parameter: 'head.weight',
    index: (token, c) => c * V + token,
  });
  const places: PlacedTensor[] = llama?.tied
    ? [head('model.embed_tokens.weight')]
    : [
        { name: 'model.embed_tokens.weight', shape: [tokens, C], parameter: 'tokens', index: (v, c) => v * C + c },
        head('lm_head.weight'),
      ];
  const modules = modulesOf(configuration);
  for (let layer = 0; layer < layers; layer++) {
    const [from, to] = [`model.layers.${layer}`, `layer${layer}`];
    places.push(vector(`${from}.input_layernorm.weight`, `${to}.attentionNorm.gamma`, C));
    places.push(vector(`${from}.post_attention_layernorm.weight`, `${to}.feedForwardNorm.gamma`, C));
    for (const { name, map, inputs, outputs, first, column } of modules) {
      places.push({
        name: `${from}.${name}.weight`,
        shape: [outputs, inputs],
        parameter: `${to}.${map}.weight`,
        index: (row, k) => k * wide[map] + first + column(row),
      });
      if (!isBiased(configuration, map)) continue;
      const bias = vector(`${from}.${name}.bias`, `${to}.${map}.bias`, outputs);
      places.push({ ...bias, index: (_, row) => first + column(row) });
    }
  }
  places.push(vector('model.norm.weight', 'finalNorm.gamma', C));
  return places;
}

/** [rows, columns] of a tensor in the files; a vector is one row. */
export const sidesOf = ({ shape }: Pick<PlacedTensor, 'shape'>): readonly [rows: number, columns: number] =>
  shape.length === 1 ? [1, shape[0]] : [shape[0], shape[1]];
