/** Argument checks of operations/worldModel.ts. */
import type { Rows, Tensor } from '../backend';
import { GROUP_COLUMNS, TERM_COLUMNS } from '../columns';
import { type WorldModelOperations, worldModelScratch } from '../operations/worldModel';
import type { Check, ChecksOf } from './check';

export const WORLD_MODEL_CHECKS: ChecksOf<WorldModelOperations> = {
  worldModelWeights(check, crossEntropyWeight, scratch, batch, { oldEntropy, group }, hyper) {
    check.batch(batch);
    check.dense(batch, crossEntropyWeight, oldEntropy);
    check.own(crossEntropyWeight);
    check.output(scratch, 'f32', scratch.stride);
    check.atLeast(scratch, worldModelScratch(batch));
    check.input(group, 'f32', batch.groups * GROUP_COLUMNS);
    check.hyper(hyper);
  },

  regularise(check, dLogProb, dEntropy, terms, rows, inputs, hyper, context) {
    const { logProb, entropy, referenceLogProb, oldLogProb, actionWeight } = inputs;
    checkRows(check, terms, rows, [dLogProb, dEntropy], [logProb, entropy]);
    checkDense(check, [referenceLogProb, oldLogProb, actionWeight], context);
    check.hyper(hyper);
  },

  crossEntropyObjective(check, dLogProb, terms, rows, inputs, hyper, context) {
    const { logProb, entropy, oldLogProb, behaviourLogProb, crossEntropyWeight } = inputs;
    checkRows(check, terms, rows, [dLogProb], [logProb, entropy]);
    checkDense(check, [oldLogProb, behaviourLogProb, crossEntropyWeight], context);
    check.hyper(hyper);
  },
};

type F32 = Tensor<'f32'>;

function checkRows(check: Check, terms: F32, rows: Rows, outputs: readonly F32[], inputs: readonly F32[]): void {
  check.rows(rows);
  check.output(terms, 'f32', rows.capacity * TERM_COLUMNS);
  for (const tensor of outputs) check.output(tensor, 'f32', rows.capacity);
  for (const tensor of inputs) check.input(tensor, 'f32', rows.capacity);
}

/** Requires inputs [P,B,T] of one shape, for any B of at least 1 (throws LabError 'invalid' otherwise). */
function checkDense(check: Check, tensors: readonly F32[], context: number): void {
  const stride = tensors[0]?.stride ?? 0;
  check.require(
    stride > 0 && stride % context === 0,
    `"${tensors[0]?.label}" holds no trajectories of ${context} tokens`,
  );
  for (const tensor of tensors) check.input(tensor, 'f32', stride);
}
