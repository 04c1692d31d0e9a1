/** The shaders of policyObjectiveDispatches.ts. */
export const POLICY_OBJECTIVE_SHADERS: readonly (readonly [name: string, text: string])[] = [];
