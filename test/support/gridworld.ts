/** Tasks and moves of a gridworld, the same at every call. */
import type { Emission, Environment } from '../../src/environments/environment';
import { RandomStream } from '../../src/foundation/philox';
import type { Chooser } from './episodes';

/** Token of the first of the four moves: up. */
export const FIRST_MOVE = 2;

export const SILENT: Emission = { emit: () => true };

export const task = (environment: Environment, item: number): Int32Array =>
  environment.drawTask(new RandomStream(5, 2, 0, 0, item));

export function randomMoves(item: number): Chooser {
  const random = new RandomStream(6, 4, 0, 0, item);
  return () => [FIRST_MOVE + random.below(4)];
}
