/** The shaders of worldModelDispatches.ts. */
import layoutWorldModel from '../../../../shaders/layout_world_model.wgsl?raw';

export const WORLD_MODEL_SHADERS: readonly (readonly [name: string, text: string])[] = [
  ['layout_world_model.wgsl', layoutWorldModel],
];
