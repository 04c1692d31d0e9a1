/** Argument checks of operations/logProb.ts. */
import type { Rows, Tensor } from '../backend';
import { HYPER_COLUMNS } from '../layout';
import type { DistillationOperations } from '../operations/distillation';
import type { LogProbOperations, MaskedLogProbOperations } from '../operations/logProb';
import type { Check, ChecksOf } from './check';

/** Checks rows of logits (a multiple of 4 long, with room for the vocabulary), legal sets and hyperparameters. */
function logitRows(
  check: Check,
  logits: Tensor<'f32'>,
  rows: Rows,
  legalSets: Tensor<'u32'>,
  hyper: Tensor<'f32'>,
  vocabulary: number,
): void {
  check.rows(rows);
  const length = logits.stride / rows.capacity;
  check.multipleOf4(length, `a row of "${logits.label}"`);
  const fits = Number.isInteger(vocabulary) && vocabulary > 0 && vocabulary <= length;
  check.require(fits, `a vocabulary of ${vocabulary} does not fit into rows of ${length}`);
  legalMasks(check, legalSets, hyper, vocabulary);
  check.input(logits, 'f32', logits.stride);
}

function legalMasks(check: Check, legalSets: Tensor<'u32'>, hyper: Tensor<'f32'>, vocabulary: number): void {
  const words = Math.ceil(vocabulary / 32);
  check.input(legalSets, 'u32', legalSets.stride);
  check.require(legalSets.stride > 0 && legalSets.stride % words === 0, `"${legalSets.label}" is no list of sets`);
  check.input(hyper, 'f32', HYPER_COLUMNS);
}

/** Number of tokens a row, K. */
function tokensPerRow(check: Check, rows: Rows, targets: Tensor<'u32'> | null | undefined): number {
  if (!targets) return 1;
  const tokens = targets.stride / rows.capacity;
  check.require(Number.isInteger(tokens) && tokens > 0, `"${targets.label}" holds no whole number of tokens a row`);
  check.input(targets, 'u32', rows.capacity * tokens);
  return tokens;
}

export const MASKED_LOG_PROB_CHECKS: ChecksOf<MaskedLogProbOperations> = {
  maskedLogProb(check, logProb, entropy, logSumExp, logits, rows, legalSets, hyper, vocabulary, targets) {
    logitRows(check, logits, rows, legalSets, hyper, vocabulary);
    check.output(logProb, 'f32', rows.capacity * tokensPerRow(check, rows, targets));
    check.output(entropy, 'f32', rows.capacity);
    check.output(logSumExp, 'f32', rows.capacity * 2);
  },
  maskedLogProbBackward(
    check,
    logits,
    dLogProb,
    dEntropy,
    entropy,
    logSumExp,
    rows,
    legalSets,
    hyper,
    vocabulary,
    targets,
  ) {
    logitRows(check, logits, rows, legalSets, hyper, vocabulary);
    check.own(logits);
    check.input(dLogProb, 'f32', rows.capacity * tokensPerRow(check, rows, targets));
    for (const input of [dEntropy, entropy]) check.input(input, 'f32', rows.capacity);
    check.input(logSumExp, 'f32', rows.capacity * 2);
  },
};

export const DISTILLATION_CHECKS: ChecksOf<DistillationOperations> = {
  distil(check, logits, distance, teacher, weight, rows, legalSets, hyper, { vocabulary, context }) {
    logitRows(check, logits, rows, legalSets, hyper, vocabulary);
    check.own(logits);
    check.output(distance, 'f32', rows.capacity);
    check.input(teacher, 'f32', logits.stride);
    check.input(weight, 'f32', weight.stride);
    const whole = weight.stride > 0 && weight.stride % context === 0;
    check.require(whole, `"${weight.label}" holds no whole number of trajectories of ${context}`);
  },
};

export const LOG_PROB_CHECKS: ChecksOf<LogProbOperations> = {
  scatterRows(check, dense, x, rows, context) {
    check.rows(rows);
    check.input(x, 'f32', rows.capacity);
    check.output(dense, 'f32', dense.stride);
    const whole = Number.isInteger(context) && context > 0 && dense.stride % context === 0;
    check.require(whole, `"${dense.label}" holds no whole number of trajectories of ${context}`);
  },
  sumOfSquares(check, out, logSumExp, logits, rows, legalSets, hyper, vocabulary) {
    logitRows(check, logits, rows, legalSets, hyper, vocabulary);
    check.output(out, 'f32', rows.capacity);
    check.input(logSumExp, 'f32', rows.capacity * 2);
  },
  fusedLogProb(check, logProb, entropy, logSumExp, hidden, rows, head, legalSets, hyper) {
    check.rows(rows);
    const [C, V] = check.weight(head);
    check.multipleOf4(C, 'the width');
    legalMasks(check, legalSets, hyper, V);
    check.input(hidden, 'f32', rows.capacity * C);
    for (const output of [logProb, entropy]) check.output(output, 'f32', rows.capacity);
    check.output(logSumExp, 'f32', rows.capacity * 2);
  },
  fusedLogProbBackward(
    check,
    dHidden,
    partials,
    dLogProb,
    dEntropy,
    entropy,
    logSumExp,
    hidden,
    rows,
    head,
    legalSets,
    hyper,
  ) {
    check.sequences(rows);
    const [C, V] = check.weight(head);
    check.multipleOf4(C, 'the width');
    check.require(C >= 8, `a width of ${C} is less than 8`);
    legalMasks(check, legalSets, hyper, V);
    if (partials !== null) {
      check.parameter(head, 2);
      check.partials(partials, rows, head);
    }
    check.output(dHidden, 'f32', rows.capacity * C);
    check.input(hidden, 'f32', rows.capacity * C);
    for (const input of [dLogProb, dEntropy, entropy]) check.input(input, 'f32', rows.capacity);
    check.input(logSumExp, 'f32', rows.capacity * 2);
  },
};
