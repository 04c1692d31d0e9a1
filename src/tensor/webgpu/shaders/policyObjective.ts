/** The shaders of policyObjectiveOperations.ts. */
import layoutPolicy from '../../../../shaders/layout_policy.wgsl?raw';
import policyCounts from '../../../../shaders/policy_counts.wgsl?raw';
import policyDecoding from '../../../../shaders/policy_decoding.wgsl?raw';
import policyObjective from '../../../../shaders/policy_objective.wgsl?raw';
import policyRatio from '../../../../shaders/policy_ratio.wgsl?raw';
import policyRatioSegments from '../../../../shaders/policy_ratio_segments.wgsl?raw';
import policySelect from '../../../../shaders/policy_select.wgsl?raw';
import policySumColumns from '../../../../shaders/policy_sum_columns.wgsl?raw';
import policyValue from '../../../../shaders/policy_value.wgsl?raw';
import policyWeights from '../../../../shaders/policy_weights.wgsl?raw';
import surrogate from '../../../../shaders/surrogate.wgsl?raw';

export const POLICY_OBJECTIVE_SHADERS: readonly (readonly [name: string, text: string])[] = [
  ['layout_policy.wgsl', layoutPolicy],
  ['policy_counts.wgsl', policyCounts],
  ['policy_decoding.wgsl', policyDecoding],
  ['policy_objective.wgsl', policyObjective],
  ['policy_ratio.wgsl', policyRatio],
  ['policy_ratio_segments.wgsl', policyRatioSegments],
  ['policy_select.wgsl', policySelect],
  ['policy_sum_columns.wgsl', policySumColumns],
  ['policy_value.wgsl', policyValue],
  ['policy_weights.wgsl', policyWeights],
  ['surrogate.wgsl', surrogate],
];
