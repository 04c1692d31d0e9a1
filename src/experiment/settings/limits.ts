/** Limits that span several settings. */
export const LIMITS = {
  arms: 8,
  members: 64,
  /** Highest number of a seed. An experiment's seeds begin at 0; others can be trained by number. */
  seed: 999_999,
  trajectories: 1024,
  changes: 200,
  /** Settings of an environment; a mixture has those of all its worlds. */
  worldSettings: 1000,
  headSize: 64,
  /** Scalars in all members' parameters together. */
  parameters: 2 ** 26,
  /** Members × trajectories × context × width × layers. */
  activations: 2 ** 29,
} as const;
