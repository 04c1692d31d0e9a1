/**
 * The terms of the loss that an arm combines. There is one objective: Operations.tokenObjective (tensor/backend.ts) sums
 * these terms, and an arm's settings say how much of each, token by token. A term whose weights are 0 is absent.
 */
import type { ArmSettingPath } from '../experiment/experiment';

interface Objective {
  readonly id: string;
  /** What it is, for people. */
  readonly title: string;
  /** The settings that weigh it. */
  readonly weights: readonly ArmSettingPath[];
}

export const OBJECTIVES: readonly Objective[] = [
  {
    id: 'ppo-clip',
    title: 'Policy gradient: the clipped surrogate on GRPO advantages',
    weights: ['pg.prompt', 'pg.action', 'pg.observation', 'pg.warning'],
  },
  {
    id: 'cross-entropy',
    title: 'Cross-entropy on the tokens of a role: on observations, the world-model loss',
    weights: ['ce.prompt', 'ce.action', 'ce.observation', 'ce.warning'],
  },
  { id: 'k3-kl', title: 'KL to the initial policy on actions, k3 estimator', weights: ['klCoefficient'] },
  { id: 'entropy', title: 'Entropy bonus on actions', weights: ['entropyCoefficient'] },
];
