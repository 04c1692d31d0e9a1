/** The shaders of logProbDispatches.ts. */
export const LOG_PROB_SHADERS: readonly (readonly [name: string, text: string])[] = [];
