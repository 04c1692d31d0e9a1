/**
 * Roles: the kinds of token in a trajectory. The action mask and all that the lab compares with it are tables over
 * these roles. Kernels use the same numbers (shaders read them from a row's `meta`).
 */
export const ROLES = ['prompt', 'action', 'observation', 'warning'] as const;

export type Role = (typeof ROLES)[number];

export const ROLE: Readonly<Record<Role, number>> = { prompt: 0, action: 1, observation: 2, warning: 3 };

/** One number per role: a row of the arm's loss weights. */
export type RoleWeights = Record<Role, number>;
