/**
 * Roles: the kinds of token in a trajectory. The action mask and all that the lab compares with it are tables over
 * these roles. Kernels use the same numbers (shaders read them from a row's `meta`).
 */
export const ROLES = ['prompt', 'action', 'observation', 'warning', 'thought'] as const;

export type Role = (typeof ROLES)[number];

export const ROLE: Readonly<Record<Role, number>> = { prompt: 0, action: 1, observation: 2, warning: 3, thought: 4 };

/** True for the number of a token of a trajectory; padding has another. */
export const isTarget = (role: number): boolean => role < ROLES.length;

/** True for a token that the policy drew. Kernels ask a function made from DRAWN (webgpu/constants.ts, scripts/wasm.mjs). */
export const isDrawn = (role: number): boolean => role === ROLE.action || role === ROLE.thought;

/** True at the first token that the policy drew in a turn. */
export const beginsTurn = (roles: ArrayLike<number>, t: number): boolean =>
  isDrawn(roles[t] ?? -1) && (t === 0 || !isDrawn(roles[t - 1] ?? -1));

/** Roles of tokens that the policy drew. */
export const DRAWN: readonly Role[] = ROLES.filter((role) => isDrawn(ROLE[role]));

/** Roles that tokens of a world can have, in the order of a turn. `thoughts`: absent where its policy only acts. */
export const rolesIn = (world: { readonly thoughts?: unknown } | null | undefined): readonly Role[] =>
  world?.thoughts === undefined
    ? ROLES.filter((role) => role !== 'thought')
    : ['prompt', 'thought', 'action', 'observation', 'warning'];

/** One number per role: a row of the arm's loss weights. */
export type RoleWeights = Record<Role, number>;
