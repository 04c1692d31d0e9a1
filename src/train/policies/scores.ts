/** What a policy out of a file thinks of trajectories, laid out as they are. */
import type { OnnxScorer } from '../../onnx/scorer';
import type { Trajectories } from '../../rl/trajectories';

/** Of every token, [B, T]; NaN past the end of a trajectory, 0 for prompts and the first token. */
export interface TrajectoryScores {
  /** Log-prob given what stands before it, nats. */
  readonly logProb: Float32Array;
  /** Entropy where it was drawn or predicted, nats. */
  readonly entropy: Float32Array;
}

/** Trajectories of one member; the first `count`. */
export async function scoreTrajectories(
  scorer: OnnxScorer,
  { context, lengths, tokens, roles, legalSets }: Trajectories,
  count: number,
): Promise<TrajectoryScores> {
  const sequences = Array.from({ length: count }, (_, slot) => {
    const [start, end] = [slot * context, slot * context + (lengths[slot] as number)];
    const own = <A extends { subarray(start: number, end: number): A }>(values: A): A => values.subarray(start, end);
    return { tokens: own(tokens), roles: own(roles), legalSets: own(legalSets) };
  });
  const logProb = new Float32Array(count * context).fill(Number.NaN);
  const entropy = logProb.slice();
  (await scorer.score(sequences)).forEach((scores, slot) => {
    logProb.set(scores.logProb, slot * context);
    entropy.set(scores.entropy, slot * context);
  });
  return { logProb, entropy };
}

/** Sum over the tokens of a role in the first `count` trajectories of one member, and how many there are. */
export function sumOverRole(
  { context, lengths, roles }: Trajectories,
  count: number,
  role: number,
  values: ArrayLike<number>,
): { readonly sum: number; readonly tokens: number } {
  let sum = 0;
  let tokens = 0;
  for (let slot = 0; slot < count; slot++) {
    const start = slot * context;
    for (let at = start; at < start + (lengths[slot] as number); at++) {
      if (roles[at] !== role) continue;
      sum += values[at] as number;
      tokens++;
    }
  }
  return { sum, tokens };
}
