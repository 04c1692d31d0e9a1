/**
 * Chance inside an environment: a stream of Philox draws for each turn of a task, keyed by an integer of the task. The same
 * task and actions always get the same draws. So an episode can be replayed, and the trajectories of a group differ by
 * their actions and not by luck.
 */
import { Draws, STREAM } from '../foundation/philox';

export class Dice extends Draws {
  /** Goes to the first draw of a turn. */
  seek(seed: number, turn: number): void {
    this.seekBlock(seed, STREAM.environment, turn, 0, 0);
  }
}

/** Entropy −Σ p ln p of a coin, nats. */
export function coinEntropy(chance: number): number {
  if (chance <= 0 || chance >= 1) return 0;
  return -chance * Math.log(chance) - (1 - chance) * Math.log(1 - chance);
}
