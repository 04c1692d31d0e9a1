/** The shaders of worldModelDispatches.ts. */
export const WORLD_MODEL_SHADERS: readonly (readonly [name: string, text: string])[] = [];
