/**
 * What a token of a trajectory is. The action mask, and everything this lab compares with it, is a table over these
 * roles. The numbers are shared with the kernels (shaders read them from a row's `meta`).
 */
export const ROLES = ['prompt', 'action', 'observation', 'warning'] as const;

export type Role = (typeof ROLES)[number];

export const ROLE: Readonly<Record<Role, number>> = { prompt: 0, action: 1, observation: 2, warning: 3 };

/** One number per role: a row of the arm's loss table. */
export type RoleWeights = Record<Role, number>;
