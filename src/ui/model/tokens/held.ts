/**
 * An episode on a board as the inspector shows it when it is not of the newest batch, which alone the trainer can be asked
 * about: with the numbers that came with it. What was measured after its update, attention and its group are unknown.
 */
import type { Arm } from '../../../experiment/experiment';
import { isDrawn } from '../../../foundation/roles';
import type { EpisodeView, Inspection } from '../../../train/looks/shown';

/** Numbers that come with an episode are not among these. */
const UNKNOWN = ['logProb', 'referenceLogProb', 'entropy', 'oldValue', 'policyLoss', 'crossEntropyLoss'] as const;
const UNBOUND = ['regulariserLoss', 'ratio', 'outside', 'clipped', 'clippedLow', 'clippedHigh', 'clippedDual'] as const;

type Unknown = (typeof UNKNOWN | typeof UNBOUND)[number];

const NOTHING = Object.fromEntries([...UNKNOWN, ...UNBOUND].map((name) => [name, new Float32Array()]));

export function heldInspection(episode: EpisodeView, arm: Arm, groupSize: number): Inspection {
  const { seed, update, group, trajectory, tokens, roles, logProb, advantage, reward, success } = episode;
  const { policyWeight, crossEntropyWeight } = episode;
  const size = Math.abs(advantage);
  const rewards = new Float32Array(groupSize).fill(Number.NaN);
  rewards[trajectory] = reward;
  const successes = new Uint8Array(groupSize);
  successes[trajectory] = Number(success);
  return {
    ...{ arm, seed, update, group, trajectory, tokens, roles, rewards, successes },
    numbers: {
      ...(NOTHING as Record<Unknown, Float32Array>),
      oldLogProb: logProb,
      advantage: Float32Array.from(roles, (role) => (isDrawn(role) ? advantage : Number.NaN)),
      // A view's weight is the loss's times the size of its advantage.
      policyWeight: size === 0 ? policyWeight : policyWeight.map((weight) => weight / size),
      crossEntropyWeight,
    },
    attention: { layers: 0, heads: 0, probabilities: new Float32Array() },
    tree: [],
    isEqual: advantage === 0,
    isKept: true,
  };
}

/** True for one made from an episode: every group that was inspected has a tree. */
export const isHeld = ({ tree }: Pick<Inspection, 'tree'>): boolean => tree.length === 0;
