/** The audit's findings as data. */

export const RULES = [
  'leak',
  'template',
  'untrained-action',
  'untrained-stop',
  'shift',
  'retokenised',
  'mismatch',
  'advantage-varies',
  'silent-group',
  'truncated',
  'duplicate',
  'non-finite',
  'dominated',
] as const;
export type RuleId = (typeof RULES)[number];

/** Place of a finding. */
export interface FindingLocation {
  readonly file: string;
  readonly line: number;
  readonly trajectory: number;
  /** Index of the token, from 0; null for the whole trajectory. */
  readonly token: number | null;
  readonly what: string;
}

export interface RuleReport {
  readonly rule: RuleId;
  /** State of a rule; `unseen`: no trajectory has the fields that it needs, so nothing is said for or against it. */
  readonly state: 'found' | 'clean' | 'unseen';
  /** Trajectories that have the fields it needs. */
  readonly looked: number;
  /** Columns that the others lack, and how many they are. */
  readonly lacks: readonly { readonly what: string; readonly trajectories: number }[];
  readonly found: number;
  readonly trajectories: number;
  readonly tokens: number;
  /** Share of all tokens; null where there are none. */
  readonly tokenShare: number | null;
  /** Share of the sum of |weight × advantage| over all tokens; null if weights or advantages are not known everywhere. */
  readonly gradientShare: number | null;
  /** First places of the finding. */
  readonly places: readonly FindingLocation[];
  /** A number that the rule computed, in words. */
  readonly note: string | null;
  readonly meaning: string;
  readonly verl: string;
  readonly trl: string;
}

export interface AuditReport {
  readonly trajectories: number;
  readonly tokens: number;
  readonly rules: readonly RuleReport[];
}
