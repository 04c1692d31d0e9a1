/** Cross-entropy of trajectories that others wrote: the same ones for every member, each time. */
import { ROLE } from '../../foundation/roles';
import type { Trajectories } from '../play/trajectories';

/** Gives the log-prob of every token of trajectories, [P, B, T]. */
export type ScoreTokens = (trajectories: Trajectories) => Promise<ArrayLike<number>>;

/** Mean −log p over their observation tokens, nats, [P]. */
export async function crossEntropyOf(recorded: readonly Trajectories[], score: ScoreTokens): Promise<Float64Array> {
  const members = recorded[0]?.members ?? 0;
  const [sums, tokens] = [new Float64Array(members), new Float64Array(members)];
  for (const trajectories of recorded) {
    const { count, context, lengths, roles } = trajectories;
    const logProbs = await score(trajectories);
    for (let i = 0; i < members * count; i++) {
      const member = Math.floor(i / count);
      for (let at = i * context + 1; at < i * context + lengths[i]; at++) {
        if (roles[at] !== ROLE.observation) continue;
        sums[member] -= logProbs[at];
        tokens[member] += 1;
      }
    }
  }
  return sums.map((sum, member) => sum / tokens[member]);
}
