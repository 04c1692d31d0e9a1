/** A trajectory of a foreign batch: its tokens with all that the file says of each. */
import { ROLES } from '../foundation/roles';

/**
 * Roles of tokens in a batch: those of the lab, the chat template's own tokens, and tokens of a response of which nothing but
 * the trainer's own mask says what they are.
 */
export const BATCH_ROLES = [...ROLES, 'template', 'unknown'] as const;
export type BatchRole = (typeof BATCH_ROLES)[number];
export const BATCH_ROLE = Object.fromEntries(BATCH_ROLES.map((role, at) => [role, at])) as Record<BatchRole, number>;

/** True for the number of a role whose tokens the policy sampled. */
export const isSampled = (role: number | undefined): boolean =>
  role === BATCH_ROLE.action || role === BATCH_ROLE.thought;

/**
 * Numbers of a token. `klWeight`: in a loss that is KL to the reference; `penalty`: what KL adds to its reward; `old`: under the
 * policy before the update; `rollout`: as the engine sampled it; `correction`: what the loss of a token is multiplied by for that.
 */
export const COLUMNS = [
  'weight',
  'predictWeight',
  'klWeight',
  'penalty',
  'logp',
  'old',
  'rollout',
  'reference',
  'advantage',
  'correction',
  'values',
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** Source of a trajectory's roles. `trained`: the trainer's own mask alone, so that no mask can be held against it. */
export type RolesFrom = 'roles' | 'masks' | 'texts' | 'rollout' | 'trained';

export const ROLES_FROM: Readonly<Record<RolesFrom, string>> = {
  roles: 'roles',
  masks: 'masks by role',
  texts: 'the chat template in the texts of tokens',
  rollout: 'rollout log-probs: 0 where the engine sampled nothing',
  trained: 'nothing but the loss mask itself',
};

export type FormId =
  | 'lab'
  | 'openenv'
  | 'verl-tokens'
  | 'verl-text'
  | 'trl-tokens'
  | 'trl-text'
  | 'verifiers-tokens'
  | 'verifiers-text'
  | 'messages';

export const FORMS: Readonly<Record<FormId, string>> = {
  lab: 'trajectories of this lab',
  openenv: 'OpenEnv RFC 010',
  'verl-tokens': 'a verl batch by token',
  'verl-text': 'verl’s rollout dump (texts)',
  'trl-tokens': 'a TRL batch by token',
  'trl-text': 'TRL’s completions log (texts)',
  'verifiers-tokens': 'verifiers’ results with tokens',
  'verifiers-text': 'verifiers’ results (texts)',
  messages: 'chat messages (texts)',
};

/** Text of one role. */
export interface RoleSegment {
  readonly role: BatchRole;
  readonly text: string;
}

/** A number that is none: NaN or infinite. `token`: null for a number of the whole trajectory. */
export interface NonFiniteToken {
  readonly field: string;
  readonly token: number | null;
  readonly value: string;
}

export interface BatchTrajectory {
  readonly file: string;
  /** Number of the line in its file, from 1. */
  readonly line: number;
  /** Number of the trajectory in the batch, from 1. */
  readonly number: number;
  readonly form: FormId;
  /** Tokens; 0 where the file has texts only. */
  readonly length: number;
  readonly ids: Float64Array | null;
  readonly texts: readonly string[] | null;
  readonly segments: readonly RoleSegment[] | null;
  /** Numbers of roles (BATCH_ROLE), one a token; null where the file has texts only. */
  readonly roles: Uint8Array | null;
  readonly rolesFrom: RolesFrom | null;
  /** One number a token; NaN where there is none. */
  readonly columns: Readonly<Partial<Record<ColumnName, Float64Array>>>;
  /** True if one advantage is said for the whole trajectory. */
  readonly isAdvantageScalar: boolean;
  readonly nonFinite: readonly NonFiniteToken[];
  readonly reward: number | null;
  /** Names its group: trajectories of one prompt that are compared; null if nothing tells. */
  readonly group: string | null;
  /** Name of this trajectory and no other. */
  readonly identity: string | null;
  /** Equal for equal prompts and responses of one step. */
  readonly content: string;
  /** Tokens, or characters where the file has texts only, of the response. */
  readonly responseSize: number;
  readonly truncated: boolean | null;
  /** Tokens at which a later turn has other ids than were sampled; null where the file cannot show it. */
  readonly retokenised: readonly number[] | null;
  /** Tokens that a chat template of the reader's writes otherwise; null where there is none. */
  readonly rendered: readonly TemplateDifference[] | null;
}

/** Place at which a chat template writes something else than the batch has. */
export interface TemplateDifference {
  readonly token: number;
  readonly what: string;
}

/**
 * −∂loss/∂logp of the loss that was used, at ratio 1 and before its mean. `correction`: of the sampler, by which verl
 * and TRL multiply it.
 */
export const used = (weight = 0, advantage = 0, correction = 1): number => {
  const product = weight * advantage * correction;
  return Number.isFinite(product) ? product : 0;
};

/** Log-prob above which a token was as good as certain. */
export const CERTAIN = -0.01;

/** Texts of tokens with which models end a turn. */
export const STOPS: ReadonlySet<string> = new Set([
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<end_of_turn>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<eos>',
  '</s>',
  '<｜end▁of▁sentence｜>',
  // GLM's turns end where the next author's begin.
  '<|user|>',
  '<|observation|>',
]);
