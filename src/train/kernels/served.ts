/** Which operation of the contract each kernel serves, in the order one reads them. A test compares with what is dispatched. */
import type { Operations } from '../../tensor/backend';

type Table = { readonly [O in keyof Operations]: readonly [family: Family, ...kernels: string[]] };

type Family =
  | 'Log-probabilities'
  | 'Advantages'
  | 'Policy objective'
  | 'World model'
  | 'Policy, forward'
  | 'Policy, backward'
  | 'Optimiser'
  | 'Decoding'
  | 'Plumbing';

const SERVED: Table = {
  maskedLogProb: ['Log-probabilities', 'masked_log_prob', 'masked_log_prob_split'],
  maskedLogProbBackward: ['Log-probabilities', 'masked_log_prob_backward'],
  sumOfSquares: ['Log-probabilities', 'sum_of_squares', 'sum_of_squares_split'],
  fusedLogProb: ['Log-probabilities', 'fused_log_prob'],
  fusedLogProbBackward: [
    'Log-probabilities',
    'fused_log_prob_backward_rows',
    'fused_log_prob_backward_head',
    'fused_log_prob_backward_hidden',
  ],
  scatterRows: ['Log-probabilities', 'scatter_rows'],
  advantages: [
    'Advantages',
    'advantage_trajectories',
    'advantage_scores',
    'advantage_credit',
    'advantage_tokens',
    'advantage_whiten',
  ],
  policyWeights: ['Policy objective', 'policy_counts', 'policy_weights'],
  selectTokens: ['Policy objective', 'policy_select'],
  ratioSegments: ['Policy objective', 'policy_ratio_segments'],
  policyObjective: ['Policy objective', 'policy_objective'],
  valueObjective: ['Policy objective', 'policy_value'],
  sumColumns: ['Policy objective', 'policy_sum_columns'],
  worldModelWeights: ['World model', 'world_model_weights', 'world_model_turns'],
  regularise: ['World model', 'regularise', 'regularise_entropy'],
  crossEntropyObjective: ['World model', 'cross_entropy'],
  embed: ['Policy, forward', 'embed'],
  layerNorm: ['Policy, forward', 'layer_norm'],
  linear: ['Policy, forward', 'linear', 'linear_tiled'],
  rotary: ['Policy, forward', 'rotary'],
  attention: ['Policy, forward', 'attention'],
  attentionProbabilities: ['Policy, forward', 'attention_probabilities'],
  valueHead: ['Policy, forward', 'value_head'],
  embedBackward: ['Policy, backward', 'embed_backward'],
  layerNormBackward: ['Policy, backward', 'layer_norm_backward', 'layer_norm_backward_weight'],
  linearBackwardInput: ['Policy, backward', 'linear_backward_input', 'linear_backward_input_tiled'],
  linearBackwardWeight: ['Policy, backward', 'linear_backward_weight', 'linear_backward_weight_tiled'],
  attentionBackward: ['Policy, backward', 'attention_backward_query', 'attention_backward_key_value'],
  valueHeadBackward: ['Policy, backward', 'value_head_backward'],
  reduceChunks: ['Policy, backward', 'reduce_chunks'],
  gradientNorm: ['Optimiser', 'gradient_norm'],
  adamW: ['Optimiser', 'adamw_step', 'adamw'],
  fill: ['Plumbing', 'fill'],
  copy: ['Plumbing', 'copy'],
  copyMembers: ['Plumbing', 'copy_members'],
  storeKeyValue: ['Decoding', 'store_key_value'],
  gatherRows: ['Decoding', 'gather_rows'],
  sample: ['Decoding', 'sample'],
  continueAction: ['Decoding', 'continue_action', 'copy'],
};

export interface Served {
  readonly kernel: string;
  readonly family: string;
  readonly operations: readonly (keyof Operations)[];
}

/** Every kernel once. */
export const KERNELS: readonly Served[] = (() => {
  const found = new Map<string, { kernel: string; family: string; operations: (keyof Operations)[] }>();
  for (const [operation, [family, ...kernels]] of Object.entries(SERVED)) {
    for (const kernel of kernels) {
      const known = found.get(kernel) ?? { kernel, family, operations: [] };
      known.operations.push(operation as keyof Operations);
      found.set(kernel, known);
    }
  }
  return [...found.values()];
})();
