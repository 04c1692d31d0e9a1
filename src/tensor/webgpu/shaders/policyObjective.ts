/** The shaders of policyObjectiveDispatches.ts. */
import layoutPolicy from '../../../../shaders/layout_policy.wgsl?raw';

export const POLICY_OBJECTIVE_SHADERS: readonly (readonly [name: string, text: string])[] = [
  ['layout_policy.wgsl', layoutPolicy],
];
