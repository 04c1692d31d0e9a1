/**
 * Tensors that a forward and backward pass write, planned once and used again by every pass. A pass that will be
 * differentiated keeps what each layer computed, or its input alone, from which the backward pass computes the rest a second
 * time (activation checkpointing, arXiv 1604.06174); in any other pass all layers share one set.
 */
import { TILED_VOCABULARY } from '../foundation/tiledVocabulary';
import type { Backend, Tensor } from '../tensor/backend';
import { headWidths } from '../tensor/heads';
import { adaptedMaps, blockWidths, filledRank, headsOf, type PolicyConfiguration } from './configuration';

type F32 = Tensor<'f32'>;

export interface LayerActivations {
  /** Input of the layer, [P,R,C]. */
  readonly input: F32;
  readonly attentionNorm: F32;
  readonly attentionStats: F32;
  readonly qkv: F32;
  readonly attention: F32;
  readonly logSumExp: F32;
  /** Residual stream between attention and feed-forward, [P,R,C]. */
  readonly middle: F32;
  readonly feedForwardNorm: F32;
  readonly feedForwardStats: F32;
  /** Output of the feed-forward block's first map, [P,R,4C] before the activation, or gate and values [P,R,2F]. */
  readonly up: F32;
  /** Gated values, [P,R,F]; null without a gate, where the second map takes the activation itself. */
  readonly gated: F32 | null;
  /** Inner values of each adapter, [P,R,r], by its map's name. */
  readonly low: ReadonlyMap<string, F32>;
}

export interface Activations {
  readonly layers: readonly LayerActivations[];
  /** Output of the last layer, [P,R,C]. */
  readonly output: F32;
  readonly finalNorm: F32;
  readonly finalStats: F32;
  /** Scratch for the adapters' products, [P,R,n], by n. */
  readonly wide: ReadonlyMap<number, F32>;
  /** True where layers keep their input alone: the rest is that of the layer that was computed last. */
  readonly isRecomputed: boolean;
}

export interface GradientScratch {
  /** Gradient of the residual stream, [P,R,C]. */
  readonly stream: F32;
  readonly branch: F32;
  readonly attention: F32;
  readonly qkv: F32;
  readonly up: F32;
  readonly gated: F32 | null;
  /** Gradient of an adapter's inner values, [P,R,r]; null without adapters. */
  readonly low: F32 | null;
}

/** Floats of a row for adapters: inner values of a layer's, and scratch for their outputs. */
function floatsOfAdapters(configuration: PolicyConfiguration): { rank: number; low: number; wide: number } {
  const { adapters } = configuration;
  const maps = adaptedMaps(configuration);
  const rank = adapters === undefined ? 0 : filledRank(adapters);
  const wide = [...new Set(maps.map(({ outputs }) => outputs))].reduce((sum, outputs) => sum + outputs, 0);
  return { rank, low: maps.length * rank, wide };
}

export const tilesHead = ({ vocabulary }: PolicyConfiguration): boolean => vocabulary >= TILED_VOCABULARY;

/** Floats per row of allocateActivations(keep), allocateScratch and logits together: for planning. */
export function floatsPerTrainingRow(configuration: PolicyConfiguration, isRecomputed = false): number {
  const { layers, width: C, heads, vocabulary } = configuration;
  const { qkv, attention, up, hidden } = blockWidths(configuration);
  const gated = configuration.llama === undefined ? 0 : hidden;
  const { rank, low, wide } = floatsOfAdapters(configuration);
  const layer = 4 * C + qkv + attention + up + gated + heads + 4 + low;
  const scratch = 2 * C + attention + qkv + up + gated + wide + rank;
  const kept = isRecomputed ? layers * C + layer - C : layers * layer;
  return kept + 2 * C + 2 + scratch + (tilesHead(configuration) ? 0 : vocabulary);
}

/** Floats per trajectory in decoding: caches, one shared set of activations for a turn's rows, logits. */
export function floatsPerDecodedTrajectory(
  configuration: PolicyConfiguration,
  turn: { chunk: number; maxActionTokens: number },
): number {
  const { layers, width: C, heads, vocabulary, context } = configuration;
  const { qkv, attention, up, hidden } = blockWidths(configuration);
  const gated = configuration.llama === undefined ? 0 : hidden;
  const { low, wide } = floatsOfAdapters(configuration);
  const row = 7 * C + qkv + attention + up + gated + heads + 6 + 4 + low + wide;
  const rows = turn.chunk + (turn.maxActionTokens > 1 ? 1 : 0);
  return (
    layers * context * 2 * headWidths(headsOf(configuration)).keys +
    rows * row +
    C +
    vocabulary +
    4 * turn.maxActionTokens +
    8
  );
}

export function allocateActivations(
  backend: Backend,
  configuration: PolicyConfiguration,
  members: number,
  rows: number,
  options: { keep: boolean; recompute?: boolean | undefined; label: string },
): Activations {
  const { layers, width: C, heads, llama } = configuration;
  const widths = blockWidths(configuration);
  const maps = adaptedMaps(configuration);
  const { rank } = floatsOfAdapters(configuration);
  const tensor = (name: string, columns: number): F32 =>
    backend.tensor(`${options.label}.${name}`, 'f32', members, rows * columns);
  const layer = (name: string, input: F32): LayerActivations => ({
    input,
    attentionNorm: tensor(`${name}.attentionNorm`, C),
    attentionStats: tensor(`${name}.attentionStats`, 2),
    qkv: tensor(`${name}.qkv`, widths.qkv),
    attention: tensor(`${name}.attention`, widths.attention),
    logSumExp: tensor(`${name}.logSumExp`, heads),
    middle: tensor(`${name}.middle`, C),
    feedForwardNorm: tensor(`${name}.feedForwardNorm`, C),
    feedForwardStats: tensor(`${name}.feedForwardStats`, 2),
    up: tensor(`${name}.up`, widths.up),
    gated: llama === undefined ? null : tensor(`${name}.gated`, widths.hidden),
    low: new Map(maps.map((map) => [map.name, tensor(`${name}.${map.name}`, rank)])),
  });
  const sets: LayerActivations[] = [];
  const isRecomputed = options.keep && options.recompute === true;
  if (options.keep) {
    const input = (i: number): F32 => tensor(`layer${i}.input`, C);
    const shared = isRecomputed ? layer('layer', input(0)) : null;
    for (let i = 0; i < layers; i++) {
      if (shared === null) sets.push(layer(`layer${i}`, input(i)));
      else sets.push(i === 0 ? shared : { ...shared, input: input(i) });
    }
  } else {
    const shared = layer('layer', tensor('layer.input', C));
    const swapped: LayerActivations = { ...shared, input: tensor('layer.output', C) };
    for (let i = 0; i < layers; i++) sets.push(i % 2 === 0 ? shared : swapped);
  }
  const first = sets[0];
  const second = sets[1]?.input;
  const output = options.keep || second === undefined ? tensor('output', C) : layers % 2 === 0 ? first.input : second;
  const outputs = new Set(maps.map((map) => map.outputs));
  return {
    layers: sets,
    output,
    finalNorm: tensor('finalNorm', C),
    finalStats: tensor('finalStats', 2),
    wide: new Map(Array.from(outputs, (width) => [width, tensor(`wide${width}`, width)])),
    isRecomputed,
  };
}

export function allocateScratch(
  backend: Backend,
  configuration: PolicyConfiguration,
  members: number,
  rows: number,
): GradientScratch {
  const { width: C, llama, adapters } = configuration;
  const widths = blockWidths(configuration);
  const tensor = (name: string, columns: number): F32 =>
    backend.tensor(`gradient.${name}`, 'f32', members, rows * columns);
  return {
    stream: tensor('stream', C),
    branch: tensor('branch', C),
    attention: tensor('attention', widths.attention),
    qkv: tensor('qkv', widths.qkv),
    up: tensor('up', widths.up),
    gated: llama === undefined ? null : tensor('gated', widths.hidden),
    low: adapters === undefined ? null : tensor('low', filledRank(adapters)),
  };
}

/** The residual stream at each depth: the embeddings, then the output of each block. Whole only where each layer keeps its input. */
export const streamsOf = ({ layers, output }: Activations): F32[] => [...layers.map(({ input }) => input), output];
