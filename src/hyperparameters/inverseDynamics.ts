/** Inverse dynamics: the action taken, predicted from what the world said before and after it. */
import { onHost, real } from './setting';

export const INVERSE_DYNAMICS = {
  /**
   * η of η · mean of −log p(action | before, after), over the action tokens of one turn of each episode, drawn again for
   * every update (after VPT, arXiv 2206.11795, which trains a model of its own so); 0: none. Its passes: rl/learn/inverse.
   */
  inverseDynamics: onHost(
    real({
      label: 'Inverse dynamics η',
      help: 'Adds η times the mean −log p of the action that was taken, told what the world said before it and after it, for one turn of each episode; VPT trains a model of its own so. 0 is none.',
      default: 0,
      min: 0,
      max: 10,
      soft: [0, 1],
      step: 0.05,
    }),
  ),
} as const;
