/**
 * The policies that come with the lab (public/policies), as `npm run policies` wrote them down: their files, what each does,
 * and what came of arms that begin from them.
 */
import shipped from './presets/shipped.json';

/** `warm-start`: it has only imitated a script. */
export type ShippedKind = 'warm-start' | 'trained';

export interface ShippedPolicy {
  readonly file: string;
  /** Id of its world. */
  readonly environment: string;
  readonly kind: ShippedKind;
  readonly update: number;
  readonly bytes: number;
  readonly sha256: string;
  /** SHA-256 of the file as it was first published, which stated no licence: experiments and links may still name it. */
  readonly formerly?: string;
  readonly results: {
    /** Means of the last 20 updates of its training. */
    readonly successRate: number | null;
    readonly observationCrossEntropy: number | null;
    readonly heldOutSuccess: number | null;
    /** Measured on so many episodes afterwards. */
    readonly playedEpisodes: number;
    readonly playedSuccess: number;
    readonly playedObservationCrossEntropy: number | null;
    readonly playedObservationFloor: number | null;
  };
}

/** Of one run of a preset that begins from these files: means of its last 20 updates, by arm. */
export interface MeasuredRun {
  readonly seeds: number;
  readonly updates: number;
  readonly arms: Readonly<Record<string, { readonly successRate: number; readonly observationCrossEntropy: number }>>;
}

/** What `npm run policies` writes. */
export interface ShippedRecord {
  readonly policies: readonly ShippedPolicy[];
  /** By the id of the policies' world. */
  readonly fromFiles: Readonly<Record<string, MeasuredRun>>;
}

export const SHIPPED = shipped as ShippedRecord;

const SUCCESSORS = new Map(SHIPPED.policies.map(({ formerly, sha256 }) => [formerly, sha256]));

/** The SHA-256 by which a policy's file goes here: its own, or that of the file with the same weights that replaced it. */
export function currentHash(sha256: string): string {
  return SUCCESSORS.get(sha256) ?? sha256;
}

export function findShipped(environment: string, kind: ShippedKind): ShippedPolicy | undefined {
  return SHIPPED.policies.find((one) => one.environment === environment && one.kind === kind);
}
