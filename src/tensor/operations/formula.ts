/**
 * The part of the contract that runs formulas: a loss as text (src/formula). An instance of a formula has parameters, a
 * table of hyperparameters and a tensor of its own; several members may use one instance, each with its own numbers, and
 * one whose roles have no weight in the instance's table is not touched by it.
 *
 * A token is the formula's *own* where its role has a policyGradient weight in the instance's table, its trajectory is
 * usable (OUTCOME.usable) and its group kept (GROUP.kept). A trajectory that is not usable, or whose group is not kept, is
 * no part of the formula's batch: it has no own tokens and is no element of its group's or the batch's reductions, as in
 * the group statistics of advantages; a text that reads `reward` also leaves out trajectories of which no part of the
 * reward could be scored. A group without a trajectory that counts is no element either.
 *
 * Once a batch: formulaInputs. Then formulaHeld, once, or before each inner step where `formula.heldEachStep`. For each
 * microbatch, after log-probs and entropies were scattered to the dense tensors: formulaObjective.
 */
import type { Formula } from '../../formula/compile';
import { PARAMETER_COLUMNS, packingOf } from '../../formula/packing';
import type { Rows, Tensor } from '../backend';
import type { Batch } from './batch';

export { FORMULA_TERM_COLUMNS } from '../../formula/packing';

type F32 = Tensor<'f32'>;

/** Columns of the parameter table [P, FORMULA_PARAMETERS]: the text's parameters in its order, and the run's numbers. */
export const FORMULA_PARAMETERS = PARAMETER_COLUMNS;

/** Elements a member of the tensor `packed` of an instance. */
export const formulaFloats = (formula: Formula, batch: Pick<Batch, 'trajectories' | 'context' | 'groups'>): number =>
  packingOf(formula, batch).floats;

/** Inputs that are fixed in an update, all [P,B,T]; tensors that the text does not read may hold anything. */
export interface FormulaInputs {
  /** Factor of each token's loss: policyWeights by the instance's table. */
  readonly weight: F32;
  /** Behaviour policy's log-prob, read at action tokens. */
  readonly behaviourLogProb: F32;
  readonly referenceLogProb: F32;
  readonly advantage: F32;
  readonly returns: F32;
  readonly oldValue: F32;
  readonly tokenReward: F32;
  /** Numbers of groups, [P,groups,GROUP_COLUMNS]. */
  readonly group: F32;
}

/** Results of passes over the policy, all [P,B,T]. */
export interface FormulaPolicy {
  readonly logProb: F32;
  readonly entropy: F32;
  readonly oldLogProb: F32;
}

/** A microbatch of whole trajectories of a batch, adjacent ones. */
export interface FormulaRows extends Rows {
  /** First trajectory of the microbatch. */
  readonly first: number;
  /** Trajectories at most; those past the batch's end have no rows. */
  readonly sequences: number;
}

export interface FormulaOperations {
  /**
   * packed [P, formulaFloats(formula, batch) or more] (=): what the text reads, and which tokens and trajectories count. `hyper` is
   * the instance's table (its policyGradient columns); `armHyper` the members' usual one, for rewardWeight and rewardSource:
   * reward is the weighted sum of the parts that could be scored, or under rewardSource `tokens` the sum of the targets'
   * rewards, before KL, prediction reward and length penalty.
   */
  formulaInputs(
    packed: F32,
    formula: Formula,
    batch: Batch,
    inputs: FormulaInputs,
    tables: { readonly hyper: F32; readonly armHyper: F32 },
  ): void;

  /**
   * The group and batch results of the whole batch, kept in `packed` and held fixed by formulaObjective. Where the text has
   * none, nothing is done. parameters [P, FORMULA_PARAMETERS].
   */
  formulaHeld(packed: F32, formula: Formula, batch: Batch, policy: FormulaPolicy, parameters: F32): void;

  /**
   * dLogProb [P,R] (+=) ∂(Σ weight·loss)/∂log-prob of each own token, dEntropy [P,R] (+=) by its entropy, through turn and
   * trajectory reductions too. terms [P,R,FORMULA_TERM_COLUMNS] (=): weight·loss, 1, and what is shown, in the text's order;
   * 0 beyond, and all 0 in rows that are not the formula's own, of which nothing else is looked at. The term of a
   * token with the weight 0 is 0.
   */
  formulaObjective(
    outputs: { readonly dLogProb: F32; readonly dEntropy: F32; readonly terms: F32 },
    packed: F32,
    formula: Formula,
    batch: Batch,
    rows: FormulaRows,
    policy: FormulaPolicy,
    parameters: F32,
  ): void;
}
