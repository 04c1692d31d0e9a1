/** Tokens and weights by role. */
import { BATCH_ROLE, BATCH_ROLES, type BatchRole, type BatchTrajectory, used } from './trajectory';

export interface RoleSums {
  readonly role: BatchRole;
  tokens: number;
  /** Tokens with a weight in the policy's loss. */
  trained: number;
  weight: number;
  /** Weight in a cross-entropy beside the policy's loss. */
  predictWeight: number;
  /** Sum of |∂loss/∂logp| as the loss was used. */
  gradient: number;
}

export class BatchTotals {
  readonly #roles: readonly RoleSums[] = BATCH_ROLES.map((role) => ({
    ...{ role, tokens: 0, trained: 0, weight: 0, predictWeight: 0, gradient: 0 },
  }));

  add({ length, roles, columns }: BatchTrajectory): void {
    const { weight, predictWeight, advantage, correction } = columns;
    for (let token = 0; token < length; token++) {
      const sums = this.#roles[roles?.[token] ?? BATCH_ROLE.unknown];
      if (sums === undefined) continue;
      const own = finite(weight?.[token]);
      sums.tokens++;
      if (own !== 0) sums.trained++;
      sums.weight += own;
      sums.predictWeight += finite(predictWeight?.[token]);
      sums.gradient += Math.abs(used(own, finite(advantage?.[token]), correction?.[token]));
    }
  }

  /** Roles that have tokens. */
  rows(): readonly RoleSums[] {
    return this.#roles.filter(({ tokens }) => tokens > 0);
  }
}

const finite = (value: number | undefined): number => (Number.isFinite(value) ? (value as number) : 0);
