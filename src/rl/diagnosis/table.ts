/**
 * What is measured of a batch to see why its policies learn as they do, and where it stands: one row of numbers a member,
 * which are those of each slice of the observation tokens, of each layer, and of each role.
 */
import { ROLES } from '../../foundation/roles';

/** Ways to divide the observation tokens: every token is in exactly one slice of each cut, and `all` has but one. */
export type Cut = 'all' | 'kind' | 'novelty' | 'turn' | 'outcome';

export interface Slice {
  readonly cut: Cut;
  /** For people. */
  readonly name: string;
}

/**
 * Of a slice: how many tokens; the policy's mean negative log-prob of them, nats, as in observationCrossEntropy; the same of a
 * predictor that knows only how often each word is said in this member's batch (over all of them: the entropy of the words);
 * and the mean of what nobody could know of them. NaN: there are none, or it cannot be told.
 */
const SLICE_NUMBERS = ['tokens', 'crossEntropy', 'marginal', 'floor'] as const;

/** Of a layer's parameters: norms of the two gradients as in policyGradNorm and worldModelGradNorm, and their cosine. */
const LAYER_NUMBERS = ['policy', 'worldModel', 'cosine'] as const;

/**
 * Of a role: its target tokens; Σ |policy weight · advantage| and Σ |cross-entropy weight| over them; and the norm of the
 * gradient of their losses alone. All roles' gradients add up to the whole one, their norms do not.
 */
const ROLE_NUMBERS = ['tokens', 'policyWeight', 'crossEntropyWeight', 'gradient'] as const;

export type SliceNumbers = Readonly<Record<(typeof SLICE_NUMBERS)[number], number>>;
export type LayerNumbers = Readonly<Record<(typeof LAYER_NUMBERS)[number], number>>;
export type RoleNumbers = Readonly<Record<(typeof ROLE_NUMBERS)[number], number>>;

/** Of one update, before its optimisation. */
export interface Diagnosis {
  readonly update: number;
  readonly slices: readonly Slice[];
  /** Names, from the input to the output. */
  readonly layers: readonly string[];
  /** [P, diagnosisStride]. */
  readonly numbers: Float64Array;
}

/** What one member's row consists of. */
export interface MemberDiagnosis {
  readonly slices: readonly SliceNumbers[];
  readonly layers: readonly LayerNumbers[];
  readonly roles: readonly RoleNumbers[];
}

export function diagnosisStride({ slices, layers }: Pick<Diagnosis, 'slices' | 'layers'>): number {
  return (
    slices.length * SLICE_NUMBERS.length + layers.length * LAYER_NUMBERS.length + ROLES.length * ROLE_NUMBERS.length
  );
}

export function writeMember({ slices, layers, roles }: MemberDiagnosis): number[] {
  return [
    ...slices.flatMap((one) => SLICE_NUMBERS.map((name) => one[name])),
    ...layers.flatMap((one) => LAYER_NUMBERS.map((name) => one[name])),
    ...roles.flatMap((one) => ROLE_NUMBERS.map((name) => one[name])),
  ];
}

export function readMember(diagnosis: Diagnosis, member: number): MemberDiagnosis {
  const { slices, layers, numbers } = diagnosis;
  let at = member * diagnosisStride(diagnosis);
  const take = <N extends string>(names: readonly N[]): Record<N, number> =>
    Object.fromEntries(names.map((name) => [name, numbers[at++]])) as Record<N, number>;
  return {
    slices: slices.map(() => take(SLICE_NUMBERS)),
    layers: layers.map(() => take(LAYER_NUMBERS)),
    roles: ROLES.map(() => take(ROLE_NUMBERS)),
  };
}
