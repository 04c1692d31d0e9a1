/**
 * The policy's forward pass: pre-norm transformer blocks, as in GPT-2.
 *   x₀ = tokens + positions;  m = x + projection(attention(norm(x)));  x′ = m + down(act(up(norm(m))));  logits = norm(x_L)·head
 * The same function records training passes (keys and values of packed rows) and decoding passes (key-value caches).
 */
import type { Operations, ParameterView, Rows, Tensor } from '../tensor/backend';
import type { Activations } from './activations';
import type { PolicyConfiguration } from './configuration';

/**
 * Records tokens → final hidden state (activations.finalNorm, [P,R,C]). `caches`: one a layer when decoding. `from`: the first
 * block that is run, where its input is there already (after the last block: activations.output); else the tokens are embedded.
 */
export function recordTrunk(
  ops: Operations,
  configuration: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  activations: Activations,
  rows: Rows,
  caches: readonly Tensor<'f32'>[] | null,
  from: 'tokens' | number = 'tokens',
): void {
  const { heads, positions, activation } = configuration;
  if (from === 'tokens') {
    const first = activations.layers[0]?.input ?? activations.output;
    ops.embed(first, rows, parameter('tokens'), positions === 'learned' ? parameter('positions') : null);
  }
  activations.layers.forEach((layer, index) => {
    if (from !== 'tokens' && index < from) return;
    const name = `layer${index}`;
    const weight = (part: string) => parameter(`${name}.${part}.weight`);
    const bias = (part: string) => parameter(`${name}.${part}.bias`);
    const norm = (part: string) => [parameter(`${name}.${part}.gamma`), parameter(`${name}.${part}.beta`)] as const;
    const cache = caches?.[index] ?? null;
    const next = activations.layers[index + 1]?.input ?? activations.output;

    ops.layerNorm(layer.attentionNorm, layer.attentionStats, layer.input, rows, ...norm('attentionNorm'));
    ops.linear(layer.qkv, layer.attentionNorm, rows, weight('qkv'), bias('qkv'));
    if (positions === 'rotary') ops.rotary(layer.qkv, rows, heads, 1);
    if (cache !== null) ops.storeKeyValue(cache, layer.qkv, rows);
    ops.attention(layer.attention, layer.logSumExp, layer.qkv, cache, rows, heads);
    ops.linear(layer.middle, layer.attention, rows, weight('projection'), bias('projection'), {
      residual: layer.input,
    });

    ops.layerNorm(layer.feedForwardNorm, layer.feedForwardStats, layer.middle, rows, ...norm('feedForwardNorm'));
    ops.linear(layer.up, layer.feedForwardNorm, rows, weight('up'), bias('up'));
    const activated = { inputActivation: activation, residual: layer.middle };
    ops.linear(next, layer.up, rows, weight('down'), bias('down'), activated);
  });
  ops.layerNorm(
    activations.finalNorm,
    activations.finalStats,
    activations.output,
    rows,
    parameter('finalNorm.gamma'),
    parameter('finalNorm.beta'),
  );
}

/** Records hidden state → logits [P,R,V]. */
export function recordHead(
  ops: Operations,
  parameter: (name: string) => ParameterView,
  logits: Tensor<'f32'>,
  hidden: Tensor<'f32'>,
  rows: Rows,
): void {
  ops.linear(logits, hidden, rows, parameter('head.weight'), null);
}
