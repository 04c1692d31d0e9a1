/** Argument checks of operations/policyObjective.ts. */
import type { Rows, Tensor } from '../backend';
import { GROUP_COLUMNS, TERM_COLUMNS } from '../columns';
import type { Batch } from '../operations/batch';
import {
  type PolicyObjectiveOperations,
  policyWeightScratch,
  SEGMENT_COLUMNS,
  selectionScratch,
} from '../operations/policyObjective';
import type { Check, ChecksOf } from './check';

/** A tensor [P,B,T] that is written. */
function denseOutput(check: Check, batch: Batch, tensor: Tensor<'f32'>): void {
  check.output(tensor, 'f32', batch.trajectories * batch.context);
}

function scratchOf(check: Check, scratch: Tensor<'f32'>, stride: number): void {
  check.output(scratch, 'f32', scratch.stride);
  check.atLeast(scratch, stride);
}

/** Inputs [P,B,T] of an operation that does not know B: all of one size, in whole trajectories. */
function denseInputs(check: Check, context: number, ...tensors: readonly Tensor<'f32'>[]): void {
  check.require(Number.isInteger(context) && context > 0, `the context is ${context}`);
  const stride = tensors[0]?.stride ?? 0;
  check.require(stride > 0 && stride % context === 0, `"${tensors[0]?.label}" does not hold whole trajectories`);
  for (const tensor of tensors) check.input(tensor, 'f32', stride);
}

/** Outputs and terms [P,R,·] of the per-token passes. */
function rowOutputs(check: Check, rows: Rows, output: Tensor<'f32'>, terms: Tensor<'f32'>): void {
  check.rows(rows);
  check.output(output, 'f32', rows.capacity);
  check.output(terms, 'f32', rows.capacity * TERM_COLUMNS);
}

export const POLICY_OBJECTIVE_CHECKS: ChecksOf<PolicyObjectiveOperations> = {
  policyWeights(check, policyWeight, actionWeight, scratch, batch, { oldLogProb, behaviourLogProb, group }, hyper) {
    check.batch(batch);
    denseOutput(check, batch, policyWeight);
    denseOutput(check, batch, actionWeight);
    scratchOf(check, scratch, policyWeightScratch(batch));
    check.dense(batch, oldLogProb, behaviourLogProb);
    check.input(group, 'f32', batch.groups * GROUP_COLUMNS);
    check.hyper(hyper);
  },

  selectTokens(check, selection, scratch, batch, inputs, hyper) {
    check.batch(batch);
    denseOutput(check, batch, selection);
    scratchOf(check, scratch, selectionScratch(batch));
    check.dense(batch, inputs.logProb, inputs.entropy, inputs.oldLogProb, inputs.advantage, inputs.policyWeight);
    check.hyper(hyper);
  },

  ratioSegments(check, segments, rows, inputs, hyper, context) {
    check.sequences(rows);
    check.output(segments, 'f32', rows.capacity * SEGMENT_COLUMNS);
    check.input(inputs.logProb, 'f32', rows.capacity);
    const { oldLogProb, behaviourLogProb, advantage, policyWeight, selection } = inputs;
    denseInputs(check, context, oldLogProb, behaviourLogProb, advantage, policyWeight, selection);
    check.hyper(hyper);
  },

  policyObjective(check, dLogProb, terms, rows, inputs, hyper, context) {
    rowOutputs(check, rows, dLogProb, terms);
    check.input(inputs.logProb, 'f32', rows.capacity);
    check.input(inputs.segments, 'f32', rows.capacity * SEGMENT_COLUMNS);
    denseInputs(check, context, inputs.oldLogProb, inputs.advantage, inputs.policyWeight);
    check.hyper(hyper);
  },

  valueObjective(check, dValue, terms, rows, inputs, hyper, context) {
    rowOutputs(check, rows, dValue, terms);
    check.input(inputs.value, 'f32', rows.capacity);
    denseInputs(check, context, inputs.oldValue, inputs.returns, inputs.actionWeight);
    check.hyper(hyper);
  },

  sumColumns(check, sums, sequenceSums, terms, rows) {
    check.sequences(rows);
    check.output(sums, 'f32', sums.stride);
    check.output(sequenceSums, 'f32', rows.sequences * sums.stride);
    check.input(terms, 'f32', rows.capacity * sums.stride);
  },
};
