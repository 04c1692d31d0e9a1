/**
 * The shape of a policy: a decoder-only, pre-norm transformer. All members of a population share one shape. The widths
 * the kernels rely on (multiples of 4) are checked here once.
 */
import { LabError } from '../foundation/errors';
import type { LlamaBlocks } from '../foundation/llamaBlocks';
import type { Activation } from '../tensor/backend';
import { evenHeads, type Heads, headWidths } from '../tensor/heads';

export interface PolicyConfiguration {
  readonly layers: number;
  /** Width of the residual stream, C. */
  readonly width: number;
  readonly heads: number;
  /** T, the longest trajectory in tokens. */
  readonly context: number;
  /** Padded vocabulary, V. */
  readonly vocabulary: number;
  readonly positions: 'learned' | 'rotary';
  readonly activation: Exclude<Activation, 'none'>;
  /** Choice of the initial weights' standard deviations (parameters.ts). */
  readonly initialisation: 'normal' | 'fan-in' | 'gpt-2';
  /** Standard deviation of the initial matrices and embeddings; only `normal` reads it. */
  readonly initialScale: number;
  /** Blocks of the Llama family instead of GPT-2's; positions are rotary then, and `activation` is not read. */
  readonly llama?: LlamaBlocks;
  /** Low-rank adapters that are trained on frozen weights; Llama's blocks alone have them. */
  readonly adapters?: AdapterForm;
}

/** Low-rank adapters (LoRA, arXiv 2106.09685) of some maps of every block. */
export interface AdapterForm {
  /** Inner width of an adapter, r. */
  readonly rank: number;
  /** α/r, which its output is multiplied by. */
  readonly factor: number;
  /** Names of the maps that have one (adaptableMaps). */
  readonly maps: readonly string[];
}

/** Hidden width of GPT-2's feed-forward block: four times the residual stream. */
const FEED_FORWARD_FACTOR = 4;

export function headsOf({ width, heads, llama }: PolicyConfiguration): Heads {
  if (llama === undefined) return evenHeads(width, heads);
  return { queries: heads, keys: llama.keyValueHeads, width: llama.headWidth };
}

/** Linear maps of a block, in the order of the forward pass. */
export type BlockMap = 'qkv' | 'projection' | 'up' | 'down';

export function isBiased({ llama }: PolicyConfiguration, map: BlockMap): boolean {
  if (llama === undefined) return true;
  return (map === 'qkv' && llama.biases !== 'none') || (map === 'projection' && llama.biases === 'attention');
}

/** Widths of a block's tensors. */
export interface BlockWidths {
  /** Queries, keys and values of a row. */
  readonly qkv: number;
  readonly attention: number;
  /** The feed-forward block between its two maps. */
  readonly hidden: number;
  /** Output of its first map: before the activation, or gate and values. */
  readonly up: number;
}

export function blockWidths(configuration: PolicyConfiguration): BlockWidths {
  const { width, llama } = configuration;
  const { queries, row } = headWidths(headsOf(configuration));
  const hidden = llama?.hidden ?? FEED_FORWARD_FACTOR * width;
  return { qkv: row, attention: queries, hidden, up: llama === undefined ? hidden : 2 * hidden };
}

/** A map of a block that may have an adapter of its own: some columns of one of the policy's maps. */
export interface AdaptableMap {
  /** Name in Hugging Face's files: `self_attn.q_proj`. */
  readonly name: string;
  readonly map: BlockMap;
  readonly inputs: number;
  /** First column of the map. */
  readonly first: number;
  readonly outputs: number;
}

/** The seven maps of Llama's blocks. */
export function adaptableMaps(configuration: PolicyConfiguration): readonly AdaptableMap[] {
  const { width: C } = configuration;
  const { queries, keys } = headWidths(headsOf(configuration));
  const { attention, hidden } = blockWidths(configuration);
  const of = (name: string, map: BlockMap, inputs: number, outputs: number, first = 0): AdaptableMap => ({
    name,
    map,
    inputs,
    first,
    outputs,
  });
  return [
    of('self_attn.q_proj', 'qkv', C, queries),
    of('self_attn.k_proj', 'qkv', C, keys, queries),
    of('self_attn.v_proj', 'qkv', C, keys, queries + keys),
    of('self_attn.o_proj', 'projection', attention, C),
    of('mlp.gate_proj', 'up', C, hidden),
    of('mlp.up_proj', 'up', C, hidden, hidden),
    of('mlp.down_proj', 'down', hidden, C),
  ];
}

/** The maps that have an adapter. */
export function adaptedMaps(configuration: PolicyConfiguration): readonly AdaptableMap[] {
  const { adapters } = configuration;
  if (adapters === undefined) return [];
  return adaptableMaps(configuration).filter(({ name }) => adapters.maps.includes(name));
}

/** Rank filled up with zeros to what the kernels compute, a multiple of 4; zeros stay zeros, as their gradients are. */
export const filledRank = ({ rank }: AdapterForm): number => 4 * Math.ceil(rank / 4);

/** Widest heads of the kernels. */
const MOST_HEAD_WIDTH = 128;

export function checkConfiguration(configuration: PolicyConfiguration): void {
  const { width, vocabulary } = configuration;
  const { queries, keys, width: headWidth } = headsOf(configuration);
  const { hidden } = blockWidths(configuration);
  const problem =
    width % 4 !== 0
      ? `A width of ${width} is not a multiple of 4.`
      : !Number.isInteger(headWidth) || headWidth % 4 !== 0
        ? `A width of ${width} does not divide into ${queries} heads of a multiple of 4.`
        : headWidth > MOST_HEAD_WIDTH
          ? `Heads of ${headWidth} are wider than ${MOST_HEAD_WIDTH}.`
          : queries % keys !== 0
            ? `${queries} heads do not share ${keys} heads of keys and values.`
            : hidden % 4 !== 0
              ? `A feed-forward block of ${hidden} is not a multiple of 4.`
              : vocabulary % 4 !== 0
                ? `A vocabulary of ${vocabulary} is not a multiple of 4.`
                : null;
  if (problem !== null) throw new LabError('limits', problem, 'Choose another width or number of heads.');
}
