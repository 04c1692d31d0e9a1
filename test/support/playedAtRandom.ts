/** Batches that arms play at random, as a rollout of training does. */
import type { Environment } from '../../src/environments/environment';
import type { Arm } from '../../src/experiment/experiment';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { randomDecoder } from '../../src/rl/play/randomDecoder';
import { Rollout } from '../../src/rl/play/rollout';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';

interface Sizes {
  readonly groups: number;
  readonly groupSize: number;
  readonly chunk: number;
  readonly update?: number;
}

/** Trajectories of one member an arm, with the experiment's seed 3. */
export async function playedAtRandom(
  environment: Environment,
  arms: readonly Arm[],
  { groups, groupSize, chunk, update = 0 }: Sizes,
): Promise<Trajectories> {
  const members = membersOf(arms, [0]);
  const count = groups * groupSize;
  const decoder = randomDecoder(environment, count, members.length, chunk);
  const trajectories = new Trajectories(members.length, count, environment.context, environment.maxTurns);
  const rollout = new Rollout(environment, decoder, members, { groups, groupSize, chunk });
  await rollout.run(trajectories, {
    arms,
    experimentSeed: 3,
    stream: STREAM.sampling,
    round: update,
    drawTask: (_, group) => environment.drawTask(new RandomStream(3, STREAM.tasks, 0, update, group)),
  });
  return trajectories;
}
