/** Masks and log-probs that stand one token beside where they belong. */
import { type BatchTrajectory, type ColumnName, isSampled } from '../trajectory';

export interface Shift {
  readonly column: ColumnName;
  readonly against: ColumnName;
  /** Direction of the shift: 1 where `column` is one token early, −1 late. */
  readonly by: -1 | 1;
  /** First token at which both are known. */
  readonly token: number;
  readonly tokens: number;
}

interface Shifts {
  readonly maskShift: -1 | 0 | 1;
  readonly numberShift: Shift | null;
}

export function shiftOf(trajectory: BatchTrajectory, hasRoles: boolean): Shifts {
  const { columns } = trajectory;
  const pairs = [
    ['old', 'rollout'],
    ['old', 'logp'],
    ['rollout', 'logp'],
    ['reference', 'old'],
  ] as const;
  const shifts = pairs.map(([a, b]) => shiftBetween(a, columns[a], b, columns[b])).filter((one) => one !== null);
  return { maskShift: hasRoles ? maskShift(trajectory) : 0, numberShift: shifts[0] ?? null };
}

/** Differences with the roles that a shift has to explain, all of them. */
const LEAST_DIFFERENCES = 2;

function maskShift({ roles, columns: { weight }, length }: BatchTrajectory): -1 | 0 | 1 {
  if (roles === null || weight === undefined) return 0;
  const differences = (by: number): number => {
    let count = 0;
    for (let token = 0; token < length; token++) {
      const value = weight[token] ?? Number.NaN;
      const other = token + by;
      if (Number.isNaN(value) || other < 0 || other >= length) continue;
      if ((value !== 0) !== isSampled(roles[other])) count++;
    }
    return count;
  };
  if (differences(0) < LEAST_DIFFERENCES) return 0;
  if (differences(1) === 0) return 1;
  return differences(-1) === 0 ? -1 : 0;
}

const LEAST_TOKENS = 8;
/** Mean difference in nats below which log-probs always agree. */
const AGREEMENT = 0.1;
/** Part of the mean difference that may be left after the shift. */
const LEFT = 0.25;

/** Compares log-probs of two policies that are nearly the same, where both are there. 0 means none. */
function shiftBetween(
  name: ColumnName,
  column: Float64Array | undefined,
  otherName: ColumnName,
  other: Float64Array | undefined,
): Shift | null {
  if (column === undefined || other === undefined) return null;
  const here = difference(column, other, 0);
  if (here.tokens < LEAST_TOKENS || here.mean < AGREEMENT) return null;
  for (const by of [1, -1] as const) {
    const there = difference(column, other, by);
    if (there.tokens >= LEAST_TOKENS && there.mean < LEFT * here.mean) {
      return { column: name, against: otherName, by, token: here.first, tokens: here.tokens };
    }
  }
  return null;
}

function difference(
  column: Float64Array,
  other: Float64Array,
  by: number,
): { mean: number; tokens: number; first: number } {
  let sum = 0;
  let tokens = 0;
  let first = 0;
  for (let token = 0; token < column.length; token++) {
    const [a, b] = [column[token] ?? 0, other[token + by] ?? 0];
    if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) continue;
    if (tokens === 0) first = token;
    sum += Math.abs(a - b);
    tokens++;
  }
  return { mean: tokens === 0 ? 0 : sum / tokens, tokens, first };
}
