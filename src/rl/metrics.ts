/**
 * The fixed metric vocabulary: one number per member and update, the same names in curves, JSON and charts. Every value
 * is measured on that update's rollouts before its optimisation unless said otherwise; undefined is NaN in transfer
 * arrays and null in JSON, never 0.
 */
export const METRICS = [
  /** Share of trajectories that reached their goal. */
  'successRate',
  /** Mean reward over trajectories. */
  'return',
  /** Mean negative log-prob over all observation tokens, nats, full vocabulary, temperature 1; measured in every arm. */
  'observationCrossEntropy',
  /** Mean entropy over action tokens, nats, restricted to legal tokens where decoding is. */
  'entropy',
  /** Mean k3 KL to the reference over action tokens, nats. */
  'kl',
  /** Share of action tokens whose clipped branch is active, over all inner steps. */
  'clipFraction',
  /** Global norm of the gradient before clipping, first inner step. */
  'gradNorm',
  /** The same, of the policy terms alone; measured every few updates. */
  'policyGradNorm',
  /** The same, of the cross-entropy term alone; measured every few updates. */
  'worldModelGradNorm',
  /** Share of groups whose rewards are all equal: nothing to learn for the policy gradient. */
  'zeroVarianceGroups',
  /** Mean trajectory length in tokens. */
  'trajectoryTokens',
  /** Mean |log-prob in training − log-prob in decoding| over action tokens: numerical mismatch of the two paths. */
  'mismatch',
] as const;

export type MetricName = (typeof METRICS)[number];

export const METRIC = Object.fromEntries(METRICS.map((name, index) => [name, index])) as Readonly<
  Record<MetricName, number>
>;
