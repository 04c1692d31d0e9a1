/**
 * The policy's backward pass: forward.ts from the bottom up. `scratch.stream` is always the gradient of the residual
 * stream; every parameter's gradient goes, chunk by chunk, into `partials` at the parameter's own place.
 */
import type { Operations, ParameterView, Sequences, Tensor } from '../tensor/backend';
import type { Activations, GradientScratch } from './activations';
import type { PolicyConfiguration } from './configuration';

/**
 * Records d loss / d logits (and d loss / d value [P,R]) → partials [P, chunks, N]. Without dValue the value head's part
 * of partials is left as it is.
 */
export function recordBackward(
  ops: Operations,
  configuration: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  activations: Activations,
  scratch: GradientScratch,
  dLogits: Tensor<'f32'>,
  dValue: Tensor<'f32'> | null,
  partials: Tensor<'f32'>,
  rows: Sequences,
): void {
  const { heads, positions, activation } = configuration;
  const { stream, branch } = scratch;
  const headWeight = parameter('head.weight');
  ops.linearBackwardWeight(partials, activations.finalNorm, dLogits, rows, headWeight, null);
  ops.linearBackwardInput(branch, dLogits, activations.finalNorm, rows, headWeight);
  if (dValue !== null) {
    const [weight, bias] = [parameter('value.weight'), parameter('value.bias')];
    ops.valueHeadBackward(branch, partials, dValue, activations.finalNorm, rows, weight, bias);
  }
  ops.layerNormBackward(
    stream,
    partials,
    branch,
    activations.output,
    activations.finalStats,
    rows,
    parameter('finalNorm.gamma'),
    parameter('finalNorm.beta'),
    { accumulate: false },
  );
  for (let index = activations.layers.length - 1; index >= 0; index--) {
    const layer = activations.layers[index];
    if (layer === undefined) continue;
    const name = `layer${index}`;
    const weight = (part: string) => parameter(`${name}.${part}.weight`);
    const bias = (part: string) => parameter(`${name}.${part}.bias`);
    const norm = (part: string) => [parameter(`${name}.${part}.gamma`), parameter(`${name}.${part}.beta`)] as const;

    const activated = { inputActivation: activation };
    ops.linearBackwardWeight(partials, layer.up, stream, rows, weight('down'), bias('down'), activated);
    ops.linearBackwardInput(scratch.up, stream, layer.up, rows, weight('down'), activated);
    ops.linearBackwardWeight(partials, layer.feedForwardNorm, scratch.up, rows, weight('up'), bias('up'));
    ops.linearBackwardInput(branch, scratch.up, layer.feedForwardNorm, rows, weight('up'));
    ops.layerNormBackward(
      stream,
      partials,
      branch,
      layer.middle,
      layer.feedForwardStats,
      rows,
      ...norm('feedForwardNorm'),
      { accumulate: true },
    );

    ops.linearBackwardWeight(partials, layer.attention, stream, rows, weight('projection'), bias('projection'));
    ops.linearBackwardInput(scratch.attention, stream, layer.attention, rows, weight('projection'));
    ops.attentionBackward(scratch.qkv, scratch.attention, layer.attention, layer.logSumExp, layer.qkv, rows, heads);
    if (positions === 'rotary') ops.rotary(scratch.qkv, rows, heads, -1);
    ops.linearBackwardWeight(partials, layer.attentionNorm, scratch.qkv, rows, weight('qkv'), bias('qkv'));
    ops.linearBackwardInput(branch, scratch.qkv, layer.attentionNorm, rows, weight('qkv'));
    ops.layerNormBackward(stream, partials, branch, layer.input, layer.attentionStats, rows, ...norm('attentionNorm'), {
      accumulate: true,
    });
  }
  ops.embedBackward(
    partials,
    stream,
    rows,
    parameter('tokens'),
    positions === 'learned' ? parameter('positions') : null,
  );
}
