/**
 * Masks as texts of a loss: where in the ratio a mask stands, and trajectories that are left out of the loss. Each beside the
 * same arm without it.
 */

import { NOWHERE } from '../../arm/ownLosses';
import type { Arm, Experiment } from '../../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy } from '../preset';

type Described = Pick<Preset, 'claim'>;
type Differences = Partial<Experiment> & Pick<Experiment, 'title' | 'arms'>;

function preset(id: string, described: Described, differences: Differences): Preset {
  const experiment = { ...baseExperiment, preset: id, updates: 150, policy: smallPolicy, ...differences };
  return { id, ...described, experiment };
}

/** The arm with a text in place of its policy loss. */
const withText = (arm: Arm, id: string, name: string, text: string): Arm => ({
  ...arm,
  id,
  name,
  losses: [{ name: id, text, place: 'policy', on: NOWHERE, values: {} }],
});

const BOUNDS = 'param low = 0.2 in [0, 1]\nparam high = 0.2 in [0, 1]\n';
const CLIPPED = 'min(ratio * A, clip(ratio, 1 - low, 1 + high) * A)';
const SHOWN = 'show clip_fraction = ratio < 1 - low or ratio > 1 + high\nshow mean_ratio = ratio\n';

/** Texts of losses on actions and observations alike: the mask is written into the text. */
export const MASK_TEXTS = {
  outside: `# The mask multiplies the loss
${BOUNDS}ratio = exp(clip(logp - old_logp, -20, 20))
loss = -is_action * ${CLIPPED}
${SHOWN}`,
  inside: `# The mask multiplies the log-ratio: off the actions the ratio is 1
${BOUNDS}ratio = exp(clip(is_action * (logp - old_logp), -20, 20))
loss = -${CLIPPED}
${SHOWN}`,
  /**
   * arXiv 2509.02479, and github.com/ltzheng/SimpleTIR, where the mask of the loss, its mean over tokens included, is 0
   * on such trajectories.
   */
  void: `# SimpleTIR: trajectories with a void turn are left out, also of the mean over tokens
${BOUNDS}kept = valid >= 1
share = sum_batch(tokens if kept else 0) / sum_batch(tokens)
ratio = exp(clip(logp - old_logp, -20, 20))
loss = where(kept, -${CLIPPED} / max(share, 1e-6), 0)
show kept_tokens = kept
`,
} as const;

const unmasked: Arm = { ...actionMask, pg: { ...actionMask.pg, observation: 1 }, entropyCoefficient: 0 };

const maskInRatio = preset(
  'mask-in-ratio',
  {
    claim: 'Does it matter whether a mask stands inside of the ratio or outside of it?',
  },
  {
    title: 'A mask inside or outside of the ratio',
    seeds: 2,
    arms: [
      withText(unmasked, 'outside', 'Mask outside', MASK_TEXTS.outside),
      withText(unmasked, 'inside', 'Mask inside', MASK_TEXTS.inside),
    ],
  },
);

const imitator: Arm = { ...actionMask, warmStart: 'actions', entropyCoefficient: 0 };

const voidTurns = preset(
  'void-turns',
  {
    claim: 'Does it help to leave trajectories with a malformed turn out of the policy’s loss?',
  },
  {
    title: 'Void turns: left out or learned from',
    environment: { id: 'own', settings: { world: '@calculator' } },
    evaluation: { every: 50, tasks: 64, toolEvery: 0 },
    arms: [imitator, withText(imitator, 'without-void', 'Without void turns', MASK_TEXTS.void)],
  },
);

export const maskTexts: readonly Preset[] = [maskInRatio, voidTurns];
