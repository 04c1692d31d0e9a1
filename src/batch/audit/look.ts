/** A trajectory as the rules look at it: which tokens are trained, how much each counts, and whether something is shifted. */
import { type BatchTrajectory, isSampled, used } from '../trajectory';
import { type Shift, shiftOf } from './shift';

export interface AuditLook {
  readonly trajectory: BatchTrajectory;
  /** |∂loss/∂logp| of each token for a loss −A·ratio at ratio 1 before its mean: |weight × advantage|; null if either is unknown. */
  readonly gradient: Float64Array | null;
  /** True if the roles come from elsewhere than the loss mask, so that the two can be held against each other. */
  readonly hasRoles: boolean;
  /** Shift of the loss mask against the roles: 1 if it is a token early, −1 if late, 0 if neither. */
  readonly maskShift: -1 | 0 | 1;
  /** Shift of the log-probs against their tokens; null if none. */
  readonly numberShift: Shift | null;
}

export function lookAt(trajectory: BatchTrajectory): AuditLook {
  const { columns, rolesFrom } = trajectory;
  const { weight, advantage, correction } = columns;
  const hasBoth = trajectory.length > 0 && weight !== undefined && advantage !== undefined;
  const hasRoles = rolesFrom !== null && rolesFrom !== 'trained';
  return {
    trajectory,
    gradient: hasBoth ? weight.map((value, at) => Math.abs(used(value, advantage[at], correction?.[at]))) : null,
    hasRoles,
    ...shiftOf(trajectory, hasRoles),
  };
}

/** Runs of tokens that the policy sampled, from a token to the one behind its last. */
export function* sampledRuns({ roles, length }: BatchTrajectory): Generator<readonly [from: number, to: number]> {
  let from = 0;
  while (from < length) {
    if (!isSampled(roles?.[from])) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < length && isSampled(roles?.[to])) to++;
    yield [from, to];
    from = to;
  }
}

/** True for a token with a weight in the policy's loss. */
export const isTrained = ({ columns }: BatchTrajectory, token: number): boolean => (columns.weight?.[token] || 0) !== 0;

/** False where nothing weighs the token, as at the first one. */
export const isWeighed = ({ columns }: BatchTrajectory, token: number): boolean =>
  !Number.isNaN(columns.weight?.[token] ?? Number.NaN);
