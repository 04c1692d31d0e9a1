/** Scores of trajectories under a policy out of a file, in their layout. */
import type { OnnxScorer } from '../../onnx/scorer';
import type { Trajectories } from '../../rl/play/trajectories';

/** Scores of every token, [B, T]; NaN past the end, 0 for the first token and for prompts without a loss weight. */
export interface TrajectoryScores {
  /** Log-prob given the tokens before it, nats. */
  readonly logProb: Float32Array;
  /** Entropy of the distribution it was drawn or predicted from, nats. */
  readonly entropy: Float32Array;
}

/** Scores of the first `count` trajectories of one member. */
export async function scoreTrajectories(
  scorer: OnnxScorer,
  { context, lengths, tokens, roles, legalSets }: Trajectories,
  count: number,
): Promise<TrajectoryScores> {
  const sequences = Array.from({ length: count }, (_, slot) => {
    const [start, end] = [slot * context, slot * context + (lengths[slot] as number)];
    const cut = <A extends { subarray(start: number, end: number): A }>(values: A): A => values.subarray(start, end);
    return { tokens: cut(tokens), roles: cut(roles), legalSets: cut(legalSets) };
  });
  const logProb = new Float32Array(count * context).fill(Number.NaN);
  const entropy = logProb.slice();
  (await scorer.score(sequences)).forEach((scores, slot) => {
    logProb.set(scores.logProb, slot * context);
    entropy.set(scores.entropy, slot * context);
  });
  return { logProb, entropy };
}

/** Sum of values over tokens by their role, in the first `count` trajectories of one member, and their number. */
export function sumOver(
  { context, lengths, roles }: Trajectories,
  count: number,
  isOf: (role: number) => boolean,
  values: ArrayLike<number>,
): { readonly sum: number; readonly tokens: number } {
  let sum = 0;
  let tokens = 0;
  for (let slot = 0; slot < count; slot++) {
    const start = slot * context;
    for (let at = start; at < start + (lengths[slot] as number); at++) {
      if (!isOf(roles[at] as number)) continue;
      sum += values[at] as number;
      tokens++;
    }
  }
  return { sum, tokens };
}
