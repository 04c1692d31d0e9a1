/** The shaders of advantageDispatches.ts. */
export const ADVANTAGE_SHADERS: readonly (readonly [name: string, text: string])[] = [];
