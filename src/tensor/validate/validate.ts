/**
 * One check of every operation's arguments for all backends: members, strides, multiples of 4. `validated(operations,
 * members)` wraps a backend's recorder; a wrong call throws while it is recorded, naming the operation and the tensor.
 * It checks shapes only; what the tensors hold (row tables, addresses) is the caller's responsibility.
 */
import type { Operations } from '../backend';
import { HYPER_COLUMNS } from '../layout';
import { ADVANTAGE_CHECKS } from './advantage';
import { Check, type ChecksOf } from './check';
import { FORMULA_CHECKS } from './formula';
import { LLAMA_CHECKS } from './llama';
import { DISTILLATION_CHECKS, LOG_PROB_CHECKS, MASKED_LOG_PROB_CHECKS } from './logProb';
import { POLICY_OBJECTIVE_CHECKS } from './policyObjective';
import { WORLD_MODEL_CHECKS } from './worldModel';

const CHECKS: ChecksOf<Operations> = {
  ...LOG_PROB_CHECKS,
  ...MASKED_LOG_PROB_CHECKS,
  ...DISTILLATION_CHECKS,
  ...ADVANTAGE_CHECKS,
  ...POLICY_OBJECTIVE_CHECKS,
  ...FORMULA_CHECKS,
  ...WORLD_MODEL_CHECKS,
  ...LLAMA_CHECKS,
  valueHead(check, value, hidden, rows, weight, bias) {
    check.rows(rows);
    const C = hidden.stride / rows.capacity;
    check.require(weight.shape[0] === C && bias.shape[0] === 1, 'the value head has another shape');
    for (const { tensor } of [weight, bias]) check.input(tensor, 'f32', tensor.stride);
    check.output(value, 'f32', rows.capacity);
    check.input(hidden, 'f32', rows.capacity * C);
  },
  valueHeadBackward(check, dHidden, partials, dValue, hidden, rows, weight, bias) {
    check.sequences(rows);
    const C = hidden.stride / rows.capacity;
    check.require(weight.shape[0] === C && bias.shape[0] === 1, 'the value head has another shape');
    for (const { tensor } of [weight, bias]) check.input(tensor, 'f32', tensor.stride);
    check.partials(partials, rows, weight);
    check.output(dHidden, 'f32', rows.capacity * C);
    check.input(dValue, 'f32', rows.capacity);
    check.input(hidden, 'f32', rows.capacity * C);
  },
  embed(check, out, rows, tokens, positions) {
    check.rows(rows);
    const [, C] = check.weight(tokens);
    if (positions !== null)
      check.require(check.parameter(positions, 2)[1] === C, 'positions and tokens differ in width');
    check.output(out, 'f32', rows.capacity * C);
  },
  layerNorm(check, out, stats, x, rows, gamma, beta) {
    check.rows(rows);
    const [C] = check.parameter(gamma, 1);
    check.require(check.parameter(beta, 1)[0] === C, 'gamma and beta differ in width');
    check.output(out, 'f32', rows.capacity * C);
    check.output(stats, 'f32', rows.capacity * 2);
    check.input(x, 'f32', rows.capacity * C);
  },
  linear(check, out, x, rows, weight, bias, options) {
    check.rows(rows);
    const [K, N] = check.weight(weight);
    check.multipleOf4(K, 'the input width');
    if (bias !== null) check.require(check.parameter(bias, 1)[0] === N, 'bias and weight differ in width');
    check.output(out, 'f32', rows.capacity * N);
    check.input(x, 'f32', rows.capacity * K);
    if (options?.residual !== undefined) {
      check.input(options.residual, 'f32', rows.capacity * N);
      check.require(options.residual !== out, 'the residual is the output itself');
    }
  },
  rotary(check, qkv, rows, heads) {
    check.rows(rows);
    check.output(qkv, 'f32', rows.capacity * check.heads(heads).row);
  },
  storeKeyValue(check, cache, qkv, rows, heads) {
    check.rows(rows);
    const { keys, row } = check.heads(heads);
    check.input(qkv, 'f32', rows.capacity * row);
    check.output(cache, 'f32', cache.stride);
    check.require(cache.stride % (2 * keys) === 0, `"${cache.label}" holds no whole number of keys and values`);
  },
  attention(check, out, logSumExp, qkv, cache, rows, heads) {
    check.rows(rows);
    const { queries, keys, row } = check.heads(heads);
    check.output(out, 'f32', rows.capacity * queries);
    check.output(logSumExp, 'f32', rows.capacity * heads.queries);
    check.input(qkv, 'f32', rows.capacity * row);
    if (cache === null) return;
    check.input(cache, 'f32', cache.stride);
    check.require(cache.stride % (2 * keys) === 0, `"${cache.label}" holds no whole number of keys and values`);
  },
  attentionProbabilities(check, out, qkv, logSumExp, picks, rows, heads) {
    check.rows(picks);
    check.rows(rows);
    check.input(qkv, 'f32', rows.capacity * check.heads(heads).row);
    check.input(logSumExp, 'f32', rows.capacity * heads.queries);
    check.output(out, 'f32', out.stride);
    check.require(out.stride % (picks.capacity * heads.queries) === 0, `"${out.label}" holds no whole number of keys`);
  },
  gatherRows(check, out, x, picks) {
    check.rows(picks);
    const C = out.stride / picks.capacity;
    check.multipleOf4(C, 'the width');
    check.output(out, 'f32', out.stride);
    check.input(x, 'f32', x.stride);
    check.require(x.stride % C === 0, `"${x.label}" holds no whole number of rows of ${C}`);
  },
  embedBackward(check, partials, dx, rows, tokens, positions) {
    check.sequences(rows);
    const [, C] = check.parameter(tokens, 2);
    check.partials(partials, rows, tokens);
    if (positions !== null) {
      check.require(check.parameter(positions, 2)[1] === C, 'positions and tokens differ in width');
      check.partials(partials, rows, positions);
    }
    check.input(dx, 'f32', rows.capacity * C);
  },
  layerNormBackward(check, dx, partials, dOut, x, stats, rows, gamma, beta) {
    check.sequences(rows);
    const [C] = check.parameter(gamma, 1);
    check.require(check.parameter(beta, 1)[0] === C, 'gamma and beta differ in width');
    check.partials(partials, rows, gamma);
    check.partials(partials, rows, beta);
    check.output(dx, 'f32', rows.capacity * C);
    check.input(dOut, 'f32', rows.capacity * C);
    check.input(x, 'f32', rows.capacity * C);
    check.input(stats, 'f32', rows.capacity * 2);
  },
  linearBackwardInput(check, dx, dOut, x, rows, weight, options) {
    check.rows(rows);
    const [K, N] = check.weight(weight);
    check.multipleOf4(K, 'the input width');
    check.output(dx, 'f32', rows.capacity * K);
    check.input(dOut, 'f32', rows.capacity * N);
    if ((options?.inputActivation ?? 'none') !== 'none') check.input(x, 'f32', rows.capacity * K);
  },
  linearBackwardWeight(check, partials, x, dOut, rows, weight, bias) {
    check.sequences(rows);
    const [K, N] = check.parameter(weight, 2);
    check.multipleOf4(K, 'the input width');
    check.partials(partials, rows, weight);
    if (bias !== null) {
      check.require(check.parameter(bias, 1)[0] === N, 'bias and weight differ in width');
      check.partials(partials, rows, bias);
    }
    check.input(x, 'f32', rows.capacity * K);
    check.input(dOut, 'f32', rows.capacity * N);
  },
  attentionBackward(check, dqkv, dOut, out, logSumExp, qkv, rows, heads) {
    check.sequences(rows);
    const { queries, row } = check.heads(heads);
    check.output(dqkv, 'f32', rows.capacity * row);
    check.input(dOut, 'f32', rows.capacity * queries);
    check.input(out, 'f32', rows.capacity * queries);
    check.input(logSumExp, 'f32', rows.capacity * heads.queries);
    check.input(qkv, 'f32', rows.capacity * row);
  },
  reduceChunks(check, gradients, partials, chunks) {
    check.output(gradients, 'f32', gradients.stride);
    check.multipleOf4(gradients.stride, 'the number of parameters');
    check.input(partials, 'f32', partials.stride);
    check.atLeast(partials, chunks * gradients.stride);
  },
  sample(check, token, logProb, logits, picks, legalSets, hyper, key, seedIndex, vocabulary) {
    check.rows(picks);
    check.vocabulary(legalSets, hyper, vocabulary);
    check.output(token, 'u32', picks.capacity);
    check.output(logProb, 'f32', picks.capacity);
    check.input(logits, 'f32', picks.capacity * vocabulary);
    check.input(key, 'u32', 4);
    check.input(seedIndex, 'u32', 1);
  },
  continueAction(check, rows, picks, left, sampled, sampledLogProb, token, logProb, sizes, stops) {
    if (stops) check.input(stops, 'u32', stops.stride);
    check.rows(rows);
    check.rows(picks);
    for (const tensor of [rows.table, rows.count, picks.table]) check.own(tensor);
    check.require(rows.capacity >= picks.capacity, `"${rows.table.label}" has fewer rows than there are picks`);
    check.output(left, 'u32', picks.capacity);
    check.output(sampled, 'u32', sampled.stride);
    check.atLeast(sampled, (sizes.step + 1) * picks.capacity);
    check.output(sampledLogProb, 'f32', sampled.stride);
    check.input(token, 'u32', picks.capacity);
    check.input(logProb, 'f32', picks.capacity);
  },
  gradientNorm(check, norm, scratch, a, b) {
    check.output(norm, 'f32', 1);
    check.output(scratch, 'f32', scratch.stride);
    check.atLeast(scratch, Math.ceil(a.stride / 1024));
    check.input(a, 'f32', a.stride);
    check.multipleOf4(a.stride, 'the number of parameters');
    if (b !== null) check.input(b, 'f32', a.stride);
  },
  adamW(check, parameters, firstMoment, secondMoment, step, gradients, norm, hyper, active) {
    const N = parameters.stride;
    check.multipleOf4(N, 'the number of parameters');
    for (const tensor of [parameters, firstMoment, secondMoment]) check.output(tensor, 'f32', N);
    check.output(step, 'f32', 1);
    check.input(gradients, 'f32', N);
    check.input(norm, 'f32', 1);
    check.input(hyper, 'f32', HYPER_COLUMNS);
    check.input(active, 'u32', 1);
  },
  fill(check, tensor) {
    check.require(tensor.type === 'f32', `"${tensor.label}" is not f32`);
  },
  copy(check, target, source) {
    const same = target.type === source.type && target.members === source.members && target.stride === source.stride;
    check.require(same, `"${target.label}" and "${source.label}" differ in shape`);
  },
  copyMembers(check, target, source, active) {
    check.output(target, 'f32', target.stride);
    check.input(source, 'f32', target.stride);
    check.input(active, 'u32', 1);
  },
};

/** The given operations, each of which checks its arguments first. */
export function validated(operations: Operations, members: number): Operations {
  const checked = <K extends keyof Operations>(name: K): Operations[K] => {
    const check = new Check(name, members);
    const test = CHECKS[name] as (check: Check, ...args: readonly unknown[]) => void;
    const operation = operations[name] as (...args: readonly unknown[]) => void;
    return ((...args: readonly unknown[]) => {
      test(check, ...args);
      operation.apply(operations, [...args]);
    }) as Operations[K];
  };
  const names = Object.keys(CHECKS) as (keyof Operations)[];
  return Object.fromEntries(names.map((name) => [name, checked(name)])) as unknown as Operations;
}
