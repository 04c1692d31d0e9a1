/**
 * Unbiased estimate of the probability that at least one of k episodes of a task succeeds, from n episodes of which c did:
 * 1 − C(n−c, k)/C(n, k) (Chen et al., arXiv 2107.03374), as a product so that nothing overflows. NaN where k > n.
 */
export function passAtK(n: number, successes: number, k: number): number {
  if (k > n) return Number.NaN;
  let fail = 1;
  for (let i = 0; i < k; i++) fail *= Math.max(0, n - successes - i) / (n - i);
  return 1 - fail;
}

/**
 * Unbiased estimate of the probability that all of k episodes of a task succeed (pass^k), from n episodes of which c did:
 * C(c, k)/C(n, k) (τ-bench, arXiv 2406.12045). NaN where k > n.
 */
export function passHatK(n: number, successes: number, k: number): number {
  if (k > n) return Number.NaN;
  let pass = 1;
  for (let i = 0; i < k; i++) pass *= Math.max(0, successes - i) / (n - i);
  return pass;
}
