/** What the arms of a population ask of an update beyond one forward and backward pass: each costs only where it is used. */
export interface Needs {
  /** The acting policy's log-probs, entropies and values before the first step: critics, optimal baselines, PaW … */
  readonly scores: boolean;
  /** Choices that look at the whole batch under the running policy, before every step: clip-cov, kl-cov, top entropies. */
  readonly selection: boolean;
  /** The value head is trained. */
  readonly critic: boolean;
  /** One greedy trajectory for each task (ReMax). */
  readonly baselines: boolean;
}
