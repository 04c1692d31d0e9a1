/** Argument checks of operations/formula.ts. */

import type { Formula } from '../../formula/compile';
import type { Tensor } from '../backend';
import { GROUP_COLUMNS } from '../columns';
import type { Batch } from '../operations/batch';
import {
  FORMULA_PARAMETERS,
  FORMULA_TERM_COLUMNS,
  type FormulaOperations,
  type FormulaPolicy,
  formulaFloats,
} from '../operations/formula';
import type { Check, ChecksOf } from './check';

function policyOf(check: Check, batch: Batch, policy: FormulaPolicy, parameters: Tensor<'f32'>): void {
  check.batch(batch);
  check.dense(batch, policy.logProb, policy.entropy, policy.oldLogProb);
  check.input(parameters, 'f32', FORMULA_PARAMETERS);
}

/** Checks the packed tensor: one made for a larger formula serves a smaller one. */
function packedOf(check: Check, packed: Tensor<'f32'>, formula: Formula, batch: Batch): void {
  check.output(packed, 'f32', packed.stride);
  check.atLeast(packed, formulaFloats(formula, batch));
}

export const FORMULA_CHECKS: ChecksOf<FormulaOperations> = {
  formulaInputs(check, packed, formula, batch, { group, ...dense }, { hyper, armHyper }) {
    check.batch(batch);
    packedOf(check, packed, formula, batch);
    check.dense(batch, ...Object.values(dense));
    check.input(group, 'f32', batch.groups * GROUP_COLUMNS);
    check.hyper(hyper);
    check.hyper(armHyper);
  },
  formulaHeld(check, packed, formula, batch, policy, parameters) {
    packedOf(check, packed, formula, batch);
    policyOf(check, batch, policy, parameters);
  },
  formulaObjective(check, { dLogProb, dEntropy, terms }, packed, formula, batch, rows, policy, parameters) {
    packedOf(check, packed, formula, batch);
    policyOf(check, batch, policy, parameters);
    check.rows(rows);
    check.output(dLogProb, 'f32', rows.capacity);
    check.output(dEntropy, 'f32', rows.capacity);
    check.output(terms, 'f32', rows.capacity * FORMULA_TERM_COLUMNS);
    check.require(Number.isInteger(rows.first) && rows.first >= 0, `the first trajectory is ${rows.first}`);
  },
};
