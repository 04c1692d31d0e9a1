/**
 * Table of a batch's diagnosis: one row a member, with the numbers of each slice of the observation tokens, then of each
 * layer, then of each role. They show why a policy learns as it does.
 */
import { ROLES } from '../../../foundation/roles';

/** Ways to divide the observation tokens: every token is in exactly one slice of each cut; `all` has only one slice. */
export type Cut = 'all' | 'kind' | 'novelty' | 'turn' | 'outcome';

export interface Slice {
  readonly cut: Cut;
  /** Name for people. */
  readonly name: string;
}

/**
 * Numbers of a slice: its tokens, then cross-entropies as means over them, nats; NaN without tokens or where not known.
 * `crossEntropy`: of the policy, as in observationCrossEntropy. `marginal`: of a predictor that knows only how often each word
 * is said in this member's batch. `floor`: of a perfect predictor.
 */
const SLICE_NUMBERS = ['tokens', 'crossEntropy', 'marginal', 'floor'] as const;

/** Numbers of a layer: norms of its two gradients, as in policyGradNorm and worldModelGradNorm, and their cosine. */
const LAYER_NUMBERS = ['policy', 'worldModel', 'cosine'] as const;

/**
 * Numbers of a role: its target tokens; Σ |policy weight · advantage| and Σ |cross-entropy weight| over them; and the norm
 * of the gradient of their losses alone. The roles' gradients add up to the whole one, their norms do not.
 */
const ROLE_NUMBERS = ['tokens', 'policyWeight', 'crossEntropyWeight', 'gradient'] as const;

export type SliceNumbers = Readonly<Record<(typeof SLICE_NUMBERS)[number], number>>;
export type LayerNumbers = Readonly<Record<(typeof LAYER_NUMBERS)[number], number>>;
export type RoleNumbers = Readonly<Record<(typeof ROLE_NUMBERS)[number], number>>;

/** Diagnosis of one update, before its optimisation. */
export interface Diagnosis {
  readonly update: number;
  readonly slices: readonly Slice[];
  /** Names, from the input to the output. */
  readonly layers: readonly string[];
  /** Numbers of the members, [P, diagnosisStride]. */
  readonly numbers: Float64Array;
}

/** Numbers of one member. */
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
