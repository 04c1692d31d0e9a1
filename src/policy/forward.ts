/**
 * The policy's forward pass: pre-norm transformer blocks, as in GPT-2 or in Llama.
 *   x₀ = tokens + positions;  m = x + projection(attention(norm(x)));  x′ = m + down(act(up(norm(m))));  logits = norm(x_L)·head
 * GPT-2's norm is layer norm, act an activation, positions are learned or rotary; Llama's norm is RMS norm, act a gate (SwiGLU),
 * positions are rotary. The same function records training passes (keys and values of packed rows) and decoding passes
 * (key-value caches).
 */
import type { Operations, ParameterView, Rows, Tensor } from '../tensor/backend';
import type { Activations } from './activations';
import { adaptersOf, recordAdapters } from './adapters';
import { type BlockMap, headsOf, isBiased, type PolicyConfiguration } from './configuration';

type F32 = Tensor<'f32'>;

/**
 * Records tokens → final hidden state (activations.finalNorm, [P,R,C]). `caches`: one a layer when decoding. `from`: the first
 * block that is run, where its input is there already (after the last block: activations.output); else the tokens are embedded.
 */
export function recordTrunk(...of: Parameters<typeof recordBlocks>): void {
  recordBlocks(...of);
  const [ops, configuration, parameter, { finalNorm, finalStats, output }, rows] = of;
  recordFinalNorm(ops, configuration, parameter, finalNorm, finalStats, output, rows);
}

/** Records the blocks up to the last one's output (activations.output), before the final norm. */
export function recordBlocks(
  ops: Operations,
  configuration: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  activations: Activations,
  rows: Rows,
  caches: readonly F32[] | null,
  from: 'tokens' | number = 'tokens',
): void {
  const { positions, llama } = configuration;
  if (from === 'tokens') {
    const first = activations.layers[0]?.input ?? activations.output;
    if (llama?.tied) ops.embedTied(first, rows, parameter('head.weight'));
    else ops.embed(first, rows, parameter('tokens'), positions === 'learned' ? parameter('positions') : null);
  }
  activations.layers.forEach((_, index) => {
    if (from === 'tokens' || index >= from) {
      recordBlock(ops, configuration, parameter, activations, rows, index, caches?.[index] ?? null);
    }
  });
}

/** Records the last block's output x → final hidden state, row by row. */
export function recordFinalNorm(
  ops: Operations,
  configuration: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  out: F32,
  stats: F32,
  x: F32,
  rows: Rows,
): void {
  recordNorm(ops, configuration, parameter, out, stats, x, rows, 'finalNorm');
}

/** Records a block: activations.layers[index].input → the next layer's input. */
export function recordBlock(
  ops: Operations,
  configuration: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  activations: Activations,
  rows: Rows,
  index: number,
  cache: F32 | null,
): void {
  const { positions, activation, llama } = configuration;
  const heads = headsOf(configuration);
  const adapters = adaptersOf(configuration, parameter, activations);
  const name = `layer${index}`;
  const norm = (out: F32, stats: F32, x: F32, part: string): void =>
    recordNorm(ops, configuration, parameter, out, stats, x, rows, `${name}.${part}`);
  const map = (out: F32, x: F32, part: BlockMap, options?: Parameters<Operations['linear']>[5]): void => {
    const bias = isBiased(configuration, part) ? parameter(`${name}.${part}.bias`) : null;
    ops.linear(out, x, rows, parameter(`${name}.${part}.weight`), bias, options);
    recordAdapters(ops, adapters(index, part), out, x, rows);
  };
  const layer = activations.layers[index];
  const next = activations.layers[index + 1]?.input ?? activations.output;

  norm(layer.attentionNorm, layer.attentionStats, layer.input, 'attentionNorm');
  map(layer.qkv, layer.attentionNorm, 'qkv');
  if (positions === 'rotary') ops.rotary(layer.qkv, rows, heads, 1, llama?.theta);
  if (cache !== null) ops.storeKeyValue(cache, layer.qkv, rows, heads);
  ops.attention(layer.attention, layer.logSumExp, layer.qkv, cache, rows, heads);
  map(layer.middle, layer.attention, 'projection', { residual: layer.input });

  norm(layer.feedForwardNorm, layer.feedForwardStats, layer.middle, 'feedForwardNorm');
  map(layer.up, layer.feedForwardNorm, 'up');
  if (layer.gated === null) {
    map(next, layer.up, 'down', { inputActivation: activation, residual: layer.middle });
  } else {
    ops.swiglu(layer.gated, layer.up, rows);
    map(next, layer.gated, 'down', { residual: layer.middle });
  }
}

function recordNorm(
  ops: Operations,
  { llama }: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  out: F32,
  stats: F32,
  x: F32,
  rows: Rows,
  name: string,
): void {
  const gamma = parameter(`${name}.gamma`);
  if (llama === undefined) ops.layerNorm(out, stats, x, rows, gamma, parameter(`${name}.beta`));
  else ops.rmsNorm(out, stats, x, rows, gamma, llama.epsilon);
}

/** Records hidden state → logits [P,R,V]. */
export function recordHead(
  ops: Operations,
  parameter: (name: string) => ParameterView,
  logits: F32,
  hidden: F32,
  rows: Rows,
): void {
  ops.linear(logits, hidden, rows, parameter('head.weight'), null);
}
