/** The shaders of logProbOperations.ts. */
import fusedGradient from '../../../../shaders/fused_gradient.wgsl?raw';
import fusedLogProb from '../../../../shaders/fused_log_prob.wgsl?raw';
import fusedLogProbBackwardHead from '../../../../shaders/fused_log_prob_backward_head.wgsl?raw';
import fusedLogProbBackwardHidden from '../../../../shaders/fused_log_prob_backward_hidden.wgsl?raw';
import fusedLogProbBackwardRows from '../../../../shaders/fused_log_prob_backward_rows.wgsl?raw';
import fusedLogits from '../../../../shaders/fused_logits.wgsl?raw';
import maskedLogProb from '../../../../shaders/masked_log_prob.wgsl?raw';
import maskedLogProbBackward from '../../../../shaders/masked_log_prob_backward.wgsl?raw';
import maskedLogProbBindings from '../../../../shaders/masked_log_prob_bindings.wgsl?raw';
import maskedLogProbSplit from '../../../../shaders/masked_log_prob_split.wgsl?raw';
import scatterRows from '../../../../shaders/scatter_rows.wgsl?raw';
import softmax from '../../../../shaders/softmax.wgsl?raw';
import sumOfSquares from '../../../../shaders/sum_of_squares.wgsl?raw';
import sumOfSquaresBindings from '../../../../shaders/sum_of_squares_bindings.wgsl?raw';
import sumOfSquaresSplit from '../../../../shaders/sum_of_squares_split.wgsl?raw';

export const LOG_PROB_SHADERS: readonly (readonly [name: string, text: string])[] = [
  ['fused_gradient.wgsl', fusedGradient],
  ['fused_log_prob.wgsl', fusedLogProb],
  ['fused_log_prob_backward_head.wgsl', fusedLogProbBackwardHead],
  ['fused_log_prob_backward_hidden.wgsl', fusedLogProbBackwardHidden],
  ['fused_log_prob_backward_rows.wgsl', fusedLogProbBackwardRows],
  ['fused_logits.wgsl', fusedLogits],
  ['masked_log_prob.wgsl', maskedLogProb],
  ['masked_log_prob_backward.wgsl', maskedLogProbBackward],
  ['masked_log_prob_bindings.wgsl', maskedLogProbBindings],
  ['masked_log_prob_split.wgsl', maskedLogProbSplit],
  ['scatter_rows.wgsl', scatterRows],
  ['softmax.wgsl', softmax],
  ['sum_of_squares.wgsl', sumOfSquares],
  ['sum_of_squares_bindings.wgsl', sumOfSquaresBindings],
  ['sum_of_squares_split.wgsl', sumOfSquaresSplit],
];
