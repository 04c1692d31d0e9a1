/**
 * Policies that come with the lab (public/policies), as `npm run policies` recorded them: their files, what each can do,
 * and results of arms that begin from them.
 */
import { modelOfHash } from './models';
import shipped from './presets/shipped.json';

/** `warm-start`: has only imitated a script. `trained`: then trained on the reward. */
export type ShippedKind = 'warm-start' | 'trained';

export interface ShippedPolicy {
  readonly file: string;
  /** Id of its world. */
  readonly environment: string;
  readonly kind: ShippedKind;
  readonly sha256: string;
  /** SHA-256 of the file as first published, without a licence: experiments and links may still name it. */
  readonly formerly?: string;
  /** Means over episodes that were played after training; the file has all its results. */
  readonly results: {
    readonly playedSuccess: number;
    readonly playedObservationCrossEntropy: number | null;
  };
}

/** One run of a preset that begins from these files: means of its last 20 updates, by arm. */
export interface MeasuredRun {
  readonly seeds: number;
  readonly updates: number;
  readonly arms: Readonly<Record<string, { readonly successRate: number; readonly observationCrossEntropy: number }>>;
}

/** Record that `npm run policies` writes. */
export interface ShippedRecord {
  readonly policies: readonly ShippedPolicy[];
  /** Runs that begin from files, by the id of the policies' world. */
  readonly fromFiles: Readonly<Record<string, MeasuredRun>>;
}

export const SHIPPED = shipped as ShippedRecord;

const SUCCESSORS = new Map(SHIPPED.policies.map(({ formerly, sha256 }) => [formerly, sha256]));

/** Present SHA-256 of a policy's file: the same, or that of the file that replaced it with the same weights. */
export function currentHash(sha256: string): string {
  return SUCCESSORS.get(sha256) ?? sha256;
}

/** Path below `public` of a file that comes with the lab, a policy's or a model's; null for any other hash. */
export function shippedPath(sha256: string): string | null {
  const policy = SHIPPED.policies.find((one) => one.sha256 === sha256);
  return policy === undefined ? (modelOfHash(sha256)?.file ?? null) : `policies/${policy.file}`;
}

export function findShipped(environment: string, kind: ShippedKind): ShippedPolicy | undefined {
  return SHIPPED.policies.find((one) => one.environment === environment && one.kind === kind);
}
