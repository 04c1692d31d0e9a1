/**
 * The policy's backward pass: forward.ts from the bottom up. `scratch.stream` is always the gradient of the residual
 * stream; every parameter's gradient goes, chunk by chunk, into `partials` at the parameter's own place.
 */
import type { Operations, ParameterView, Sequences, Tensor } from '../tensor/backend';
import type { Activations, GradientScratch } from './activations';
import { adaptersOf, recordAdaptersBackward } from './adapters';
import { type BlockMap, headsOf, isBiased, type PolicyConfiguration } from './configuration';
import { recordBlock } from './forward';

type F32 = Tensor<'f32'>;

/**
 * Records d loss / d logits (and d loss / d value [P,R]) → partials [P, chunks, N]. dLogits null: the gradient by the last hidden
 * state is in `scratch.branch` already, and the head's in partials. Without dValue the value head's part of
 * partials is left alone. Where there are adapters, theirs and the value head's gradients are made, and all else is frozen.
 */
export function recordBackward(
  ops: Operations,
  configuration: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  activations: Activations,
  scratch: GradientScratch,
  dLogits: F32 | null,
  dValue: F32 | null,
  partials: F32,
  rows: Sequences,
): void {
  const { positions, activation, llama } = configuration;
  const heads = headsOf(configuration);
  const { stream, branch } = scratch;
  const adapters = adaptersOf(configuration, parameter, activations);
  const own = configuration.adapters === undefined ? partials : null;
  const norm = (x: F32, stats: F32, name: string, accumulate: boolean): void => {
    const gamma = parameter(`${name}.gamma`);
    const options = { accumulate };
    if (llama !== undefined) ops.rmsNormBackward(stream, own, branch, x, stats, rows, gamma, options);
    else if (own === null) throw new RangeError('Layer norms cannot be frozen.');
    else ops.layerNormBackward(stream, own, branch, x, stats, rows, gamma, parameter(`${name}.beta`), options);
  };
  const headWeight = parameter('head.weight');
  if (dLogits !== null) {
    if (own !== null) ops.linearBackwardWeight(own, activations.finalNorm, dLogits, rows, headWeight, null);
    ops.linearBackwardInput(branch, dLogits, activations.finalNorm, rows, headWeight);
  }
  if (dValue !== null) {
    const [weight, bias] = [parameter('value.weight'), parameter('value.bias')];
    ops.valueHeadBackward(branch, partials, dValue, activations.finalNorm, rows, weight, bias);
  }
  norm(activations.output, activations.finalStats, 'finalNorm', false);
  for (let index = activations.layers.length - 1; index >= 0; index--) {
    const layer = activations.layers[index];
    if (layer === undefined) continue;
    // The block's output is written a second time too, with the same numbers.
    if (activations.isRecomputed) recordBlock(ops, configuration, parameter, activations, rows, index, null);
    const name = `layer${index}`;
    const map = (dx: F32, dOut: F32, x: F32, part: BlockMap, inputActivation: typeof activation | 'none' = 'none') => {
      const weight = parameter(`${name}.${part}.weight`);
      const bias = isBiased(configuration, part) ? parameter(`${name}.${part}.bias`) : null;
      const activated = { inputActivation };
      if (own !== null) ops.linearBackwardWeight(own, x, dOut, rows, weight, bias, activated);
      ops.linearBackwardInput(dx, dOut, x, rows, weight, activated);
      recordAdaptersBackward(ops, adapters(index, part), dx, partials, dOut, x, rows, scratch.low);
    };

    if (layer.gated === null || scratch.gated === null) {
      map(scratch.up, stream, layer.up, 'down', activation);
    } else {
      map(scratch.gated, stream, layer.gated, 'down');
      ops.swigluBackward(scratch.up, scratch.gated, layer.up, rows);
    }
    map(branch, scratch.up, layer.feedForwardNorm, 'up');
    norm(layer.middle, layer.feedForwardStats, `${name}.feedForwardNorm`, true);

    map(scratch.attention, stream, layer.attention, 'projection');
    ops.attentionBackward(scratch.qkv, scratch.attention, layer.attention, layer.logSumExp, layer.qkv, rows, heads);
    if (positions === 'rotary') ops.rotary(scratch.qkv, rows, heads, -1, llama?.theta);
    map(branch, scratch.qkv, layer.attentionNorm, 'qkv');
    norm(layer.input, layer.attentionStats, `${name}.attentionNorm`, true);
  }
  if (own === null) return;
  if (llama?.tied) ops.embedTiedBackward(own, stream, rows, headWeight);
  else
    ops.embedBackward(own, stream, rows, parameter('tokens'), positions === 'learned' ? parameter('positions') : null);
}
