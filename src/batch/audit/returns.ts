/** Advantages that are returns of a reward with a KL penalty by token, as those of REINFORCE++, and whose KL is in them. */
import type { BatchTrajectory } from '../trajectory';
import { sampledRuns } from './look';

/** Estimates of KL out of log π − log π_ref, as trainers have them. */
const ESTIMATES: readonly ((difference: number) => number)[] = [
  (difference) => difference,
  (difference) => difference ** 2 / 2,
  (difference) => Math.exp(-difference) - 1 + difference,
];
/** Part of the squares that the penalty may leave. */
const LEFT = 1e-4;
const LEAST_PAIRS = 4;

/**
 * First tokens of what came back between two turns and whose KL is in the advantages of the turn before; null if a KL penalty,
 * summed up without discount, does not explain how advantages differ within the turns.
 */
export function klLeaks(trajectory: BatchTrajectory): readonly number[] | null {
  const { old, reference, advantage } = trajectory.columns;
  if (old === undefined || reference === undefined || advantage === undefined) return null;
  const runs = [...sampledRuns(trajectory)];
  const fall = (from: number, to: number): number => (advantage[from] ?? 0) - (advantage[to] ?? 0);
  for (const estimate of ESTIMATES) {
    const klAt = (token: number): number => estimate((old[token] ?? 0) - (reference[token] ?? 0));
    const pairs = runs.flatMap(([from, to]) =>
      Array.from({ length: to - 1 - from }, (_, at) => [klAt(from + at), fall(from + at, from + at + 1)] as const),
    );
    const sum = (of: (kl: number, fallen: number) => number): number =>
      pairs.reduce((all, [kl, fallen]) => all + of(kl, fallen), 0);
    const scale = sum((kl, fallen) => kl * fallen) / sum((kl) => kl * kl);
    const isExplained = sum((kl, fallen) => (fallen - scale * kl) ** 2) <= LEFT * sum((_, fallen) => fallen ** 2);
    if (pairs.length < LEAST_PAIRS || !isExplained) continue;
    return runs.flatMap(([, last], turn) => {
      const next = runs[turn + 1]?.[0];
      if (next === undefined) return [];
      const between = Array.from({ length: next - last }, (_, at) => klAt(last + at)).reduce((all, kl) => all + kl, 0);
      const rest = fall(last - 1, next) - scale * klAt(last - 1);
      return Math.abs(rest - scale * between) < 0.1 * Math.abs(scale * between) ? [last] : [];
    });
  }
  return null;
}
