/** The text of every shader, and kernels made from it by name (src/gpu/kernel.ts), each once per set of sizes. */
import activation from '../../../shaders/activation.wgsl?raw';
import adamw from '../../../shaders/adamw.wgsl?raw';
import adamwStep from '../../../shaders/adamw_step.wgsl?raw';
import attention from '../../../shaders/attention.wgsl?raw';
import attentionBackwardKeyValue from '../../../shaders/attention_backward_key_value.wgsl?raw';
import attentionBackwardQuery from '../../../shaders/attention_backward_query.wgsl?raw';
import attentionProbabilities from '../../../shaders/attention_probabilities.wgsl?raw';
import continueAction from '../../../shaders/continue_action.wgsl?raw';
import copy from '../../../shaders/copy.wgsl?raw';
import copyMembers from '../../../shaders/copy_members.wgsl?raw';
import count from '../../../shaders/count.wgsl?raw';
import embed from '../../../shaders/embed.wgsl?raw';
import embedBackward from '../../../shaders/embed_backward.wgsl?raw';
import fill from '../../../shaders/fill.wgsl?raw';
import finite from '../../../shaders/finite.wgsl?raw';
import gatherRows from '../../../shaders/gather_rows.wgsl?raw';
import gradientNorm from '../../../shaders/gradient_norm.wgsl?raw';
import grid from '../../../shaders/grid.wgsl?raw';
import hyper from '../../../shaders/hyper.wgsl?raw';
import layerNorm from '../../../shaders/layer_norm.wgsl?raw';
import layerNormBackward from '../../../shaders/layer_norm_backward.wgsl?raw';
import layerNormBackwardWeight from '../../../shaders/layer_norm_backward_weight.wgsl?raw';
import layout from '../../../shaders/layout.wgsl?raw';
import layoutBatch from '../../../shaders/layout_batch.wgsl?raw';
import legal from '../../../shaders/legal.wgsl?raw';
import linear from '../../../shaders/linear.wgsl?raw';
import linearBackwardInput from '../../../shaders/linear_backward_input.wgsl?raw';
import linearBackwardInputBindings from '../../../shaders/linear_backward_input_bindings.wgsl?raw';
import linearBackwardInputTiled from '../../../shaders/linear_backward_input_tiled.wgsl?raw';
import linearBackwardWeight from '../../../shaders/linear_backward_weight.wgsl?raw';
import linearBackwardWeightBindings from '../../../shaders/linear_backward_weight_bindings.wgsl?raw';
import linearBackwardWeightTiled from '../../../shaders/linear_backward_weight_tiled.wgsl?raw';
import linearBindings from '../../../shaders/linear_bindings.wgsl?raw';
import linearTiled from '../../../shaders/linear_tiled.wgsl?raw';
import needed from '../../../shaders/needed.wgsl?raw';
import philox from '../../../shaders/philox.wgsl?raw';
import reduceChunks from '../../../shaders/reduce_chunks.wgsl?raw';
import rotary from '../../../shaders/rotary.wgsl?raw';
import sample from '../../../shaders/sample.wgsl?raw';
import storeKeyValue from '../../../shaders/store_key_value.wgsl?raw';
import valueHead from '../../../shaders/value_head.wgsl?raw';
import valueHeadBackward from '../../../shaders/value_head_backward.wgsl?raw';
import { defineKernel, type Kernel } from '../../gpu/kernel';
import { ADVANTAGE_SHADERS } from './shaders/advantage';
import { LOG_PROB_SHADERS } from './shaders/logProb';
import { POLICY_OBJECTIVE_SHADERS } from './shaders/policyObjective';
import { WORLD_MODEL_SHADERS } from './shaders/worldModel';

export const SHADERS: ReadonlyMap<string, string> = new Map([
  ['activation.wgsl', activation],
  ['adamw.wgsl', adamw],
  ['adamw_step.wgsl', adamwStep],
  ['attention.wgsl', attention],
  ['attention_backward_key_value.wgsl', attentionBackwardKeyValue],
  ['attention_backward_query.wgsl', attentionBackwardQuery],
  ['attention_probabilities.wgsl', attentionProbabilities],
  ['continue_action.wgsl', continueAction],
  ['copy.wgsl', copy],
  ['copy_members.wgsl', copyMembers],
  ['count.wgsl', count],
  ['embed.wgsl', embed],
  ['embed_backward.wgsl', embedBackward],
  ['fill.wgsl', fill],
  ['finite.wgsl', finite],
  ['gather_rows.wgsl', gatherRows],
  ['gradient_norm.wgsl', gradientNorm],
  ['grid.wgsl', grid],
  ['hyper.wgsl', hyper],
  ['layer_norm.wgsl', layerNorm],
  ['layer_norm_backward.wgsl', layerNormBackward],
  ['layer_norm_backward_weight.wgsl', layerNormBackwardWeight],
  ['layout.wgsl', layout],
  ['layout_batch.wgsl', layoutBatch],
  ['legal.wgsl', legal],
  ['linear.wgsl', linear],
  ['linear_backward_input.wgsl', linearBackwardInput],
  ['linear_backward_input_bindings.wgsl', linearBackwardInputBindings],
  ['linear_backward_input_tiled.wgsl', linearBackwardInputTiled],
  ['linear_backward_weight.wgsl', linearBackwardWeight],
  ['linear_backward_weight_bindings.wgsl', linearBackwardWeightBindings],
  ['linear_backward_weight_tiled.wgsl', linearBackwardWeightTiled],
  ['linear_bindings.wgsl', linearBindings],
  ['linear_tiled.wgsl', linearTiled],
  ['needed.wgsl', needed],
  ['philox.wgsl', philox],
  ['reduce_chunks.wgsl', reduceChunks],
  ['rotary.wgsl', rotary],
  ['sample.wgsl', sample],
  ['store_key_value.wgsl', storeKeyValue],
  ['value_head.wgsl', valueHead],
  ['value_head_backward.wgsl', valueHeadBackward],
  ...LOG_PROB_SHADERS,
  ...ADVANTAGE_SHADERS,
  ...POLICY_OBJECTIVE_SHADERS,
  ...WORLD_MODEL_SHADERS,
]);

const kernels = new Map<string, Kernel>();

/** The kernel in `${name}.wgsl`. */
export function kernelOf(name: string, sizes: Readonly<Record<string, number>> = {}): Kernel {
  const key = JSON.stringify([name, sizes]);
  let kernel = kernels.get(key);
  if (!kernel) {
    kernel = defineKernel(`${name}.wgsl`, SHADERS, sizes);
    kernels.set(key, kernel);
  }
  return kernel;
}
