/**
 * Where each tensor of a Llama's files lies among a policy's parameters. Files hold a map as [out, in], the policy as [in, out];
 * queries, keys and values are one map there, and so are gate and up. Rotary positions turn elements i and i + D/2 of a head in
 * the files' order and neighbours in the lab's, so rows of queries and keys change places.
 */
import { type BlockMap, blockWidths, headsOf, isBiased, type PolicyConfiguration } from '../policy/configuration';
import { headWidths } from '../tensor/heads';

/** A map of the files, by its name in a layer. */
export interface Module {
  /** Name in the files: `self_attn.q_proj`. */
  readonly name: string;
  readonly map: BlockMap;
  readonly inputs: number;
  /** Columns of the policy's map that are its outputs: `first` … first + outputs − 1. */
  readonly first: number;
  readonly outputs: number;
  /** Column of the policy's map, counted from `first`, where output `row` lies. */
  readonly column: (row: number) => number;
}

/** Maps of every layer. */
export function modulesOf(configuration: PolicyConfiguration): readonly Module[] {
  const { width: C } = configuration;
  const heads = headsOf(configuration);
  const { queries, keys } = headWidths(heads);
  const { attention, hidden } = blockWidths(configuration);
  const half = heads.width / 2;
  const same = (row: number): number => row;
  const paired = (row: number): number => {
    const i = row % heads.width;
    return row - i + (i < half ? 2 * i : 2 * (i - half) + 1);
  };
  const module = (
    name: string,
    map: BlockMap,
    [inputs, outputs]: readonly [number, number],
    first = 0,
    column = same,
  ): Module => ({ name, map, inputs, outputs, first, column });
  return [
    module('self_attn.q_proj', 'qkv', [C, queries], 0, paired),
    module('self_attn.k_proj', 'qkv', [C, keys], queries, paired),
    module('self_attn.v_proj', 'qkv', [C, keys], queries + keys),
    module('self_attn.o_proj', 'projection', [attention, C]),
    module('mlp.gate_proj', 'up', [C, hidden]),
    module('mlp.up_proj', 'up', [C, hidden], hidden),
    module('mlp.down_proj', 'down', [hidden, C]),
  ];
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
