/**
 * Tensors that a forward and backward pass write, planned once and used again by every pass. A pass that will be
 * differentiated keeps each layer's inputs; in any other pass all layers share one set.
 */
import type { Backend, Tensor } from '../tensor/backend';
import { FEED_FORWARD_FACTOR, type PolicyConfiguration } from './configuration';

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
  /** Pre-activation of the feed-forward block, [P,R,4C]. */
  readonly up: F32;
}

export interface Activations {
  readonly layers: readonly LayerActivations[];
  /** Output of the last layer, [P,R,C]. */
  readonly output: F32;
  readonly finalNorm: F32;
  readonly finalStats: F32;
}

export interface GradientScratch {
  /** Gradient of the residual stream, [P,R,C]. */
  readonly stream: F32;
  readonly branch: F32;
  readonly attention: F32;
  readonly qkv: F32;
  readonly up: F32;
}

/** Floats per row of allocateActivations(keep), allocateScratch and logits together: for planning. */
export function floatsPerTrainingRow(configuration: PolicyConfiguration): number {
  const { layers, width: C, heads, vocabulary } = configuration;
  const layer = 4 * C + 3 * C + C + FEED_FORWARD_FACTOR * C + heads + 4;
  const scratch = 3 * C + 3 * C + FEED_FORWARD_FACTOR * C;
  return layers * layer + 2 * C + 2 + scratch + vocabulary;
}

/** Floats per trajectory in decoding: caches, one shared set of activations for a turn's rows, logits. */
export function floatsPerDecodedTrajectory(
  configuration: PolicyConfiguration,
  turn: { chunk: number; maxActionTokens: number },
): number {
  const { layers, width: C, heads, vocabulary, context } = configuration;
  const row = 15 * C + heads + 6 + 4;
  const rows = turn.chunk + (turn.maxActionTokens > 1 ? 1 : 0);
  return layers * context * 2 * C + rows * row + C + vocabulary + 4 * turn.maxActionTokens + 8;
}

export function allocateActivations(
  backend: Backend,
  configuration: PolicyConfiguration,
  members: number,
  rows: number,
  options: { keep: boolean; label: string },
): Activations {
  const { layers, width: C, heads } = configuration;
  const tensor = (name: string, columns: number): F32 =>
    backend.tensor(`${options.label}.${name}`, 'f32', members, rows * columns);
  const layer = (name: string, input: F32): LayerActivations => ({
    input,
    attentionNorm: tensor(`${name}.attentionNorm`, C),
    attentionStats: tensor(`${name}.attentionStats`, 2),
    qkv: tensor(`${name}.qkv`, 3 * C),
    attention: tensor(`${name}.attention`, C),
    logSumExp: tensor(`${name}.logSumExp`, heads),
    middle: tensor(`${name}.middle`, C),
    feedForwardNorm: tensor(`${name}.feedForwardNorm`, C),
    feedForwardStats: tensor(`${name}.feedForwardStats`, 2),
    up: tensor(`${name}.up`, FEED_FORWARD_FACTOR * C),
  });
  const sets: LayerActivations[] = [];
  if (options.keep) {
    for (let i = 0; i < layers; i++) sets.push(layer(`layer${i}`, tensor(`layer${i}.input`, C)));
  } else {
    const shared = layer('layer', tensor('layer.input', C));
    const swapped: LayerActivations = { ...shared, input: tensor('layer.output', C) };
    for (let i = 0; i < layers; i++) sets.push(i % 2 === 0 ? shared : swapped);
  }
  const first = sets[0];
  const second = sets[1]?.input;
  const output = options.keep || second === undefined ? tensor('output', C) : layers % 2 === 0 ? first.input : second;
  return { layers: sets, output, finalNorm: tensor('finalNorm', C), finalStats: tensor('finalStats', 2) };
}

export function allocateScratch(
  backend: Backend,
  configuration: PolicyConfiguration,
  members: number,
  rows: number,
): GradientScratch {
  const C = configuration.width;
  const tensor = (name: string, columns: number): F32 =>
    backend.tensor(`gradient.${name}`, 'f32', members, rows * columns);
  return {
    stream: tensor('stream', C),
    branch: tensor('branch', C),
    attention: tensor('attention', C),
    qkv: tensor('qkv', 3 * C),
    up: tensor('up', FEED_FORWARD_FACTOR * C),
  };
}

/** The residual stream at each depth: the embeddings, then the output of each block. Whole only where each layer keeps its input. */
export const streamsOf = ({ layers, output }: Activations): F32[] => [...layers.map(({ input }) => input), output];
