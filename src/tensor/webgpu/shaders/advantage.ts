/** The shaders of advantageOperations.ts. */
import credit from '../../../../shaders/advantage_credit.wgsl?raw';
import mask from '../../../../shaders/advantage_mask.wgsl?raw';
import scores from '../../../../shaders/advantage_scores.wgsl?raw';
import scratch from '../../../../shaders/advantage_scratch.wgsl?raw';
import spread from '../../../../shaders/advantage_spread.wgsl?raw';
import tokens from '../../../../shaders/advantage_tokens.wgsl?raw';
import trajectories from '../../../../shaders/advantage_trajectories.wgsl?raw';
import whiten from '../../../../shaders/advantage_whiten.wgsl?raw';
import affineScan from '../../../../shaders/affine_scan.wgsl?raw';
import gatherLanes from '../../../../shaders/gather_lanes.wgsl?raw';
import lanes from '../../../../shaders/lanes.wgsl?raw';
import layoutAdvantage from '../../../../shaders/layout_advantage.wgsl?raw';

export const ADVANTAGE_SHADERS: readonly (readonly [name: string, text: string])[] = [
  ['advantage_credit.wgsl', credit],
  ['advantage_mask.wgsl', mask],
  ['advantage_scores.wgsl', scores],
  ['advantage_scratch.wgsl', scratch],
  ['advantage_spread.wgsl', spread],
  ['advantage_tokens.wgsl', tokens],
  ['advantage_trajectories.wgsl', trajectories],
  ['advantage_whiten.wgsl', whiten],
  ['affine_scan.wgsl', affineScan],
  ['gather_lanes.wgsl', gatherLanes],
  ['lanes.wgsl', lanes],
  ['layout_advantage.wgsl', layoutAdvantage],
];
