/** The shaders of worldModelOperations.ts. */
import crossEntropy from '../../../../shaders/cross_entropy.wgsl?raw';
import kl from '../../../../shaders/kl.wgsl?raw';
import layoutWorldModel from '../../../../shaders/layout_world_model.wgsl?raw';
import regularise from '../../../../shaders/regularise.wgsl?raw';
import regulariseEntropy from '../../../../shaders/regularise_entropy.wgsl?raw';
import worldModelScratch from '../../../../shaders/world_model_scratch.wgsl?raw';
import worldModelTurns from '../../../../shaders/world_model_turns.wgsl?raw';
import worldModelWeights from '../../../../shaders/world_model_weights.wgsl?raw';

export const WORLD_MODEL_SHADERS: readonly (readonly [name: string, text: string])[] = [
  ['cross_entropy.wgsl', crossEntropy],
  ['kl.wgsl', kl],
  ['layout_world_model.wgsl', layoutWorldModel],
  ['regularise.wgsl', regularise],
  ['regularise_entropy.wgsl', regulariseEntropy],
  ['world_model_scratch.wgsl', worldModelScratch],
  ['world_model_turns.wgsl', worldModelTurns],
  ['world_model_weights.wgsl', worldModelWeights],
];
