/**
 * Fixture files: numbers that other projects' own code gave, one independent case an entry. The format is described in
 * docs/fixtures.md. Reading one validates it; what an adapter compares is a list of Comparison.
 */

export type Scalar = number | 'NaN' | 'Infinity' | '-Infinity';

export interface FixtureArray {
  readonly shape: readonly number[];
  readonly dtype: 'f32' | 'f64' | 'i32';
  readonly data: readonly Scalar[];
}

export type Expectation = FixtureArray | Scalar;

export interface Fixture {
  readonly name: string;
  readonly source: { readonly repo: string; readonly path: string; readonly commit: string; readonly function: string };
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, FixtureArray>>;
  readonly expected: Readonly<Record<string, Expectation>> & { readonly metrics?: Readonly<Record<string, Scalar>> };
  readonly recommended?: Readonly<Record<string, Expectation>>;
  readonly tags?: readonly string[];
  readonly notes?: string;
}

export type Family = 'masked_logprob' | 'advantage' | 'policy_loss' | 'kl' | 'echo';

/** One output of a case: |got − expected| ≤ atol + rtol·|expected| elementwise, non-finite values equal, 0 exactly where asked. */
export interface Comparison {
  /** Name of the output, as the case names it. */
  readonly output: string;
  readonly got: ArrayLike<number>;
  readonly expected: ArrayLike<number>;
  readonly atol: number;
  readonly rtol: number;
  /** Where the expected value is exactly 0, so must be the value got. */
  readonly exactZeros?: boolean;
}
