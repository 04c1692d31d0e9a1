/** Cases with a policy loss on actions and a world-model loss on observations, through the operations of training. */
import { isJson } from '../../foundation/json';
import { ROLE } from '../../foundation/roles';
import type { Backend } from '../../tensor/backend';
import { GROUP, GROUP_COLUMNS, TERM, TERM_COLUMNS } from '../../tensor/columns';
import { policyWeightScratch, SEGMENT_COLUMNS, selectionScratch } from '../../tensor/operations/policyObjective';
import { worldModelScratch } from '../../tensor/operations/worldModel';
import { expectationOf, inputOf, tableOf } from '../arrays';
import { type CheckedOutput, type Fixture, invalid } from '../format';
import { hyperTensor, placeTokens, tensorOf } from '../place';
import { lossTolerance, METRIC_TOLERANCE } from '../tolerance';
import { type EchoPlan, echoPlanOf } from './plan';
import { type MessageNode, messageTokenWeights } from './tokenSelection';

export async function checkEcho(backend: Backend, fixture: Fixture): Promise<readonly CheckedOutput[]> {
  if (fixture.params.kind === 'token_selection') return [selectedTokens(fixture)];
  const plan = echoPlanOf(fixture);
  const result = await runEcho(backend, fixture, plan);
  const policyLoss = result.sum(TERM.policyLoss);
  const worldModelLoss = result.sum(TERM.crossEntropyLoss);
  const outputs: Readonly<Record<string, ArrayLike<number>>> = {
    loss: [policyLoss + worldModelLoss],
    policy_loss: [policyLoss],
    aux_loss: [worldModelLoss],
    grad_log_prob: result.derivative,
  };
  const comparisons = Object.entries(outputs).flatMap(([output, got]): CheckedOutput[] => {
    const expected = expectationOf(fixture, output);
    const exactZeros = output === 'grad_log_prob' || output === 'aux_loss';
    return expected === undefined ? [] : [{ output, got, expected, ...lossTolerance(fixture), exactZeros }];
  });
  for (const [name, expected] of Object.entries(fixture.expected.metrics ?? {})) {
    const metric = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
    if (metric === undefined) throw invalid(`${fixture.name} expects the metric “${name}”, which is not known`);
    comparisons.push({ output: name, got: [metric(result, plan)], expected: [Number(expected)], ...METRIC_TOLERANCE });
  }
  return comparisons;
}

interface EchoResult {
  readonly roles: readonly number[];
  readonly trajectories: number;
  /** Numbers of each token: ∂loss/∂log-prob, its weight in the world-model loss, and a term of the loss. */
  readonly derivative: Float64Array;
  readonly weight: Float64Array;
  term(column: number): Float64Array;
  /** A term's sum over the batch, as in training. */
  sum(column: number): number;
}

async function runEcho(backend: Backend, fixture: Fixture, plan: EchoPlan): Promise<EchoResult> {
  const [B, T] = tableOf(fixture, 'log_prob');
  const place = placeTokens(backend, plan.roles, { shape: [B, T] });
  const { rows, batch, context } = place;
  const advantages = inputOf(fixture, 'advantages', B, B * T);
  const perToken = advantages.length / B;
  const advantage = Array.from(plan.roles, (_, i) => {
    const given = advantages[Math.floor((i * perToken) / T)];
    return given * plan.advantageScale;
  });
  const group = new Float32Array(GROUP_COLUMNS);
  group[GROUP.kept] = 1;
  const empty = (label: string, stride: number) => tensorOf(backend, label, new Float32Array(stride));
  const [dense, packed] = [batch.trajectories * context, rows.capacity];
  const oldLogProb = place.dense('oldLogProb', inputOf(fixture, 'old_log_prob', B * T));
  const logProb = inputOf(fixture, 'log_prob');
  const zeros = new Float32Array(B * T);
  const t = {
    hyper: hyperTensor(backend, ...plan.columns),
    group: tensorOf(backend, 'group', group),
    advantage: place.dense('advantage', advantage),
    oldLogProb,
    // The cases say nothing about decoding, so it is by the old policy.
    behaviourLogProb: oldLogProb,
    oldEntropy: place.dense('oldEntropy', zeros),
    policyWeight: empty('policyWeight', dense),
    actionWeight: empty('actionWeight', dense),
    crossEntropyWeight: empty('crossEntropyWeight', dense),
    selection: empty('selection', dense),
    weightScratch: empty('weightScratch', policyWeightScratch(batch)),
    selectionScratch: empty('selectionScratch', selectionScratch(batch)),
    worldScratch: empty('worldScratch', worldModelScratch(batch)),
    logProb: place.packed('logProb', logProb),
    entropy: place.packed('entropy', zeros),
    segments: empty('segments', packed * SEGMENT_COLUMNS),
    dLogProb: empty('dLogProb', packed),
    terms: empty('terms', packed * TERM_COLUMNS),
    sums: empty('sums', TERM_COLUMNS),
    sequenceSums: empty('sequenceSums', B * TERM_COLUMNS),
  };
  const weights = backend.record(`weights of ${fixture.name}`, 1, (ops) => {
    ops.policyWeights(t.policyWeight, t.actionWeight, t.weightScratch, batch, t, t.hyper);
    ops.worldModelWeights(t.crossEntropyWeight, t.worldScratch, batch, t, t.hyper);
  });
  const program = backend.record(fixture.name, 1, (ops) => {
    // Packed and dense tensors have the same order here.
    ops.selectTokens(t.selection, t.selectionScratch, batch, t, t.hyper);
    ops.ratioSegments(t.segments, rows, t, t.hyper, context);
    ops.policyObjective(t.dLogProb, t.terms, rows, t, t.hyper, context);
    ops.crossEntropyObjective(t.dLogProb, t.terms, rows, t, t.hyper, context, { accumulate: true });
    ops.sumColumns(t.sums, t.sequenceSums, t.terms, rows, { accumulate: false });
  });
  await backend.prepare();
  backend.run(weights);
  if (plan.factors !== undefined) {
    // Tokens have weights of their own here, and every role has weight 1: a token's own weight multiplies the weight that
    // the operation gave it.
    const [policy, world] = await backend.read(t.policyWeight, t.crossEntropyWeight);
    const { policy: byPolicy, world: byWorld } = plan.factors;
    const scaled = (found: ArrayLike<number>, factor: ArrayLike<number>): Float32Array =>
      Float32Array.from(found, (value, row) => (value === 0 ? 0 : value * factor[place.tokenAt(row)]));
    backend.write(t.policyWeight, scaled(policy, byPolicy));
    backend.write(t.crossEntropyWeight, scaled(world, byWorld));
  }
  backend.run(program);
  const [derivative, weight, terms, sums] = await backend.read(t.dLogProb, t.crossEntropyWeight, t.terms, t.sums);
  return {
    roles: plan.roles,
    trajectories: B,
    derivative: place.tokens(derivative),
    weight: place.tokens(weight),
    term: (column) => place.tokens(terms, TERM_COLUMNS, column),
    sum: (column) => sums[column],
  };
}

type Metric = (result: EchoResult, plan: EchoPlan) => number;

const sumOf = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);
const orZero = (sum: number, count: number): number => (count === 0 ? 0 : sum / count);

/** Mean of terms over action tokens. */
const perAction =
  (...columns: readonly number[]): Metric =>
  ({ roles, sum }) =>
    orZero(sumOf(columns.map(sum)), roles.filter((role) => role === ROLE.action).length);

/** Negative log-probs of tokens that have them as this term. */
const nllOf =
  (column: number) =>
  ({ term }: EchoResult): number[] =>
    Array.from(term(column)).filter((value) => value !== 0);

/** Negative log-probs of the tokens with a world-model loss, with their indices among all tokens. */
function selectedNll({ term, weight }: EchoResult): { index: number; nll: number }[] {
  const loss = term(TERM.crossEntropyLoss);
  return Array.from(weight).flatMap((own, index) => (own === 0 ? [] : [{ index, nll: loss[index] / own }]));
}

const meanOf = (values: readonly number[]): number => orZero(sumOf(values), values.length);
/** Mean with the authors' count, which is greater by 0.001, as in their loss. */
const skyRlMean = (values: readonly number[]): number => sumOf(values) / (values.length + 1e-3);
const observed = nllOf(TERM.observationNll);
const warned = nllOf(TERM.warningNll);

const METRICS: Readonly<Record<string, Metric>> = {
  'ppo/clip_frac': perAction(TERM.outside),
  'clip_ratio/low_mean': perAction(TERM.clippedLow),
  'clip_ratio/high_mean': perAction(TERM.clippedHigh),
  'clip_ratio/region_mean': perAction(TERM.clippedLow, TERM.clippedHigh),
  'echo/coef': (_, { coefficient }) => coefficient,
  'status/world_model_coeff': (_, { coefficient }) => coefficient,
  world_tokens_selected: (result) => selectedNll(result).length,
  world_tokens_env: (result) => observed(result).length,
  world_tokens_warning: (result) => warned(result).length,
  world_ce_selected_per_token: (result) => skyRlMean(selectedNll(result).map(({ nll }) => nll)),
  world_ce_env_per_token: (result) => skyRlMean(observed(result)),
  world_ce_warning_per_token: (result) => skyRlMean(warned(result)),
  nll_mean_over_sequences: (result) => {
    const tokens = result.roles.length / result.trajectories;
    const selected = selectedNll(result);
    const means = Array.from({ length: result.trajectories }, (_, b) =>
      selected.filter(({ index }) => Math.floor(index / tokens) === b).map(({ nll }) => nll),
    ).filter((own) => own.length > 0);
    return meanOf(means.map(meanOf));
  },
};

/** Cases about the choice of tokens in a conversation: a rule about data, without tensors. */
function selectedTokens(fixture: Fixture): CheckedOutput {
  const { nodes, roles } = fixture.params;
  const expected = expectationOf(fixture, 'ce_weights');
  if (expected === undefined || !Array.isArray(nodes) || !isJson(roles)) {
    throw invalid(`${fixture.name} lacks messages, roles or weights`);
  }
  const messages = nodes.map((node: Readonly<Record<string, unknown>>): MessageNode => {
    const { role, n, sampled, is_content: isContent } = node ?? {};
    const isMessage =
      typeof role === 'string' && Number.isInteger(n) && (n as number) >= 0 && (n as number) <= expected.length;
    if (!isMessage || !Array.isArray(isContent)) throw invalid(`A message of ${fixture.name} is not whole`);
    return { role, tokens: n as number, sampled: sampled === true, isContent };
  });
  const got = messageTokenWeights(messages, roles as Readonly<Record<string, number>>);
  return { output: 'ce_weights', got, expected, ...METRIC_TOLERANCE, exactZeros: true };
}
