/** Interface of an update: its settings, and the numbers it reads back. */
import type { Arm } from '../experiment/experiment';
import type { AddedOptions, AddedReadback } from './learn/added';
import type { Minibatches } from './learn/minibatches';
import type { Needs } from './learn/needs';
import type { FormulaReadback } from './learn/ownLosses';
import type { ReplayLoss } from './learn/replayLoss';
import type { GradientReadback } from './look/diagnosis/gradients';
import type { TokenReadback } from './measure/tokenReadback';

export interface UpdateSizes {
  readonly groups: number;
  readonly groupSize: number;
}

/** Numbers that an update reads back; arrays are [P, …] flat. */
export interface UpdateReadback extends AddedReadback {
  /** Sums of TERM columns over the first inner step, and over all later ones. */
  readonly firstTerms: ArrayLike<number>;
  readonly laterTerms: ArrayLike<number>;
  /** Target tokens by role, [P, ROLES]. */
  readonly counts: ArrayLike<number>;
  readonly gradNorm: ArrayLike<number>;
  readonly policyGradNorm: ArrayLike<number> | null;
  readonly worldModelGradNorm: ArrayLike<number> | null;
  /** Numbers of groups, [P, groups, GROUP_COLUMNS]. */
  readonly group: ArrayLike<number>;
  /** Numbers of every token, [P, B, T], where asked for. */
  readonly tokens: TokenReadback | null;
  /** Results of each formula that was trained. */
  readonly formulas: readonly FormulaReadback[];
  /** Norms by layer and by role, where asked for. */
  readonly gradients: GradientReadback | null;
}

/** Arms whose formulas are trained, as prepared, and the run's numbers that these read. */
export interface FormulaUpdate {
  readonly arms: readonly Arm[];
  readonly update: number;
  /** Running success rates before this update, [P]. */
  readonly successRates: ArrayLike<number>;
}

export interface UpdateOptions extends AddedOptions {
  /** [P]: inner epochs. A member with fewer sits out the later ones, one with 0 keeps its state. */
  readonly innerEpochs: readonly number[];
  /** Minibatches, and the table whose numbers `hyper` has; without them every step is on the whole batch. */
  readonly minibatches?: { readonly cut: Minibatches; readonly table: Float32Array } | null;
  /** Loss of replayed episodes; none, if absent. */
  readonly replay?: ReplayLoss | null;
  /** [P]: true for members of which only the value head takes steps; none, if absent. */
  readonly valueHeadAlone?: readonly boolean[];
  /** True to measure the first step's losses and gradients and take none. */
  readonly stays?: boolean;
  readonly needs: Needs;
  /** True to work out the reference policy's log-probs: where something that is trained or measured reads them. */
  readonly reference: boolean;
  /** True to measure the two gradients apart and read every token back. */
  readonly diagnostics: boolean;
  /** Roles with a loss (rolesWithLoss()), to measure gradients by role and by layer; needs `diagnostics`. */
  readonly gradientRoles?: readonly number[];
  /** Tokens that the world-model loss pulls towards, [P, B, T]; the trajectories' own when absent. */
  readonly targets?: Uint16Array;
  /** Formulas that are trained; without it none is. */
  readonly formulas?: FormulaUpdate;
}
