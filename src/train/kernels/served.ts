/** Kernels that serve each operation of the contract, in reading order. A test compares with those dispatched. */
import type { Operations } from '../../tensor/backend';

/** Folders of shaders/ with kernels, and their names for the page. The other folder, lib, has only included files. */
const FAMILIES = {
  log_prob: 'Log-probabilities',
  advantage: 'Advantages',
  policy_objective: 'Policy objective',
  formula: 'Formulas',
  world_model: 'World model',
  forward: 'Policy, forward',
  backward: 'Policy, backward',
  optimiser: 'Optimiser',
  plumbing: 'Plumbing',
  decoding: 'Decoding',
} as const;

type Table = { readonly [O in keyof Operations]: readonly `${keyof typeof FAMILIES}/${string}`[] };

const SERVED: Table = {
  maskedLogProb: ['log_prob/masked', 'log_prob/masked_split'],
  maskedLogProbBackward: ['log_prob/masked_backward'],
  sumOfSquares: ['log_prob/sum_of_squares', 'log_prob/sum_of_squares_split'],
  fusedLogProb: ['log_prob/fused'],
  fusedLogProbBackward: [
    'log_prob/fused_backward_rows',
    'log_prob/fused_backward_head',
    'log_prob/fused_backward_hidden',
  ],
  distil: ['log_prob/distil'],
  scatterRows: ['log_prob/scatter_rows'],
  advantages: [
    'advantage/trajectories',
    'advantage/scores',
    'advantage/credit',
    'advantage/tokens',
    'advantage/whiten',
  ],
  policyWeights: ['policy_objective/counts', 'policy_objective/weights'],
  selectTokens: ['policy_objective/select'],
  ratioSegments: ['policy_objective/ratio_segments'],
  policyObjective: ['policy_objective/loss'],
  valueObjective: ['policy_objective/value'],
  sumColumns: ['policy_objective/sum_columns', 'policy_objective/sum_columns_tiled'],
  formulaInputs: ['formula/structure', 'formula/gather'],
  formulaHeld: ['formula/held'],
  formulaObjective: ['formula/objective'],
  worldModelWeights: ['world_model/weights', 'world_model/turns'],
  regularise: ['world_model/regularise', 'world_model/regularise_entropy'],
  crossEntropyObjective: [
    'policy_objective/segments_tiled',
    'policy_objective/objective_tiled',
    'world_model/cross_entropy',
  ],
  embed: ['forward/embed'],
  embedTied: ['forward/tied_embed'],
  layerNorm: ['forward/layer_norm', 'forward/layer_norm_tiled'],
  rmsNorm: ['forward/layer_norm', 'forward/layer_norm_tiled'],
  linear: ['forward/linear', 'forward/linear_tiled', 'forward/norm_linear_tiled'],
  swiglu: ['forward/swiglu'],
  addColumns: ['forward/columns'],
  takeColumns: ['forward/columns'],
  rotary: ['forward/rotary'],
  attention: ['forward/attention'],
  attentionProbabilities: ['forward/attention_probabilities'],
  valueHead: ['forward/value_head'],
  embedBackward: ['backward/embed', 'backward/embed_tiled'],
  embedTiedBackward: ['backward/tied_embed'],
  layerNormBackward: ['backward/layer_norm', 'backward/layer_norm_weight', 'backward/layer_norm_tiled'],
  rmsNormBackward: ['backward/layer_norm', 'backward/layer_norm_weight', 'backward/layer_norm_tiled'],
  swigluBackward: ['backward/swiglu'],
  linearBackwardInput: ['backward/linear_input', 'backward/linear_input_tiled'],
  linearBackwardWeight: ['backward/linear_weight', 'backward/linear_weight_tiled'],
  attentionBackward: ['backward/attention_query', 'backward/attention_key_value', 'backward/attention_tiled'],
  valueHeadBackward: ['backward/value_head'],
  reduceChunks: ['backward/reduce_chunks'],
  gradientNorm: ['optimiser/gradient_norm'],
  adamW: ['optimiser/adamw_step', 'optimiser/adamw', 'optimiser/norm_step_tiled'],
  fill: ['plumbing/fill'],
  copy: ['plumbing/copy'],
  copyMembers: ['plumbing/copy_members'],
  storeKeyValue: ['decoding/store_key_value'],
  gatherRows: ['decoding/gather_rows'],
  sample: ['decoding/sample'],
  continueAction: ['decoding/continue_action', 'plumbing/copy'],
};

export interface ServedKernel {
  readonly kernel: string;
  readonly family: string;
  readonly operations: readonly (keyof Operations)[];
}

/** Every kernel once. */
export const KERNELS: readonly ServedKernel[] = (() => {
  const byKernel = new Map<string, { kernel: string; family: string; operations: (keyof Operations)[] }>();
  for (const [operation, kernels] of Object.entries(SERVED)) {
    for (const kernel of kernels) {
      const family = FAMILIES[kernel.slice(0, kernel.indexOf('/')) as keyof typeof FAMILIES];
      const known = byKernel.get(kernel) ?? { kernel, family, operations: [] };
      known.operations.push(operation as keyof Operations);
      byKernel.set(kernel, known);
    }
  }
  return [...byKernel.values()];
})();
