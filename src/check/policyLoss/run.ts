/** A policy-loss case run by the operations of training: one member, one microbatch of all its trajectories. */
import { ROLE } from '../../foundation/roles';
import type { Backend, Sequences, Tensor } from '../../tensor/backend';
import { GROUP, GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS, TERM, TERM_COLUMNS } from '../../tensor/columns';
import { HYPER_COLUMNS, packMeta } from '../../tensor/layout';
import type { Batch } from '../../tensor/operations/batch';
import { policyWeightScratch, SEGMENT_COLUMNS, selectionScratch } from '../../tensor/operations/policyObjective';
import type { PolicyLossInputs } from './inputs';
import { hyperRow, type PolicySettings } from './settings';

export interface PolicyLossResult {
  readonly loss: number;
  /** Derivatives [B,T], in the case's layout. */
  readonly dLogProb: Float64Array;
  readonly dEntropy: Float64Array;
  readonly dValue: Float64Array;
  readonly actionWeight: Float64Array;
  /** A term of every token, [B,T]. */
  term(column: number): Float64Array;
  /** A term's sum, over the batch and over each sequence. */
  sum(column: number): number;
  sequenceSums(column: number): Float64Array;
}

/** Case to run. entropySettings: those of an entropy bonus with an aggregation of its own; values: a critic's. */
export interface PolicyLossCase {
  readonly name: string;
  readonly inputs: PolicyLossInputs;
  readonly settings: PolicySettings;
  readonly entropySettings: PolicySettings | null;
  readonly values: ValueInputs | null;
}

/** Inputs of a critic: its new and old values, and the returns. */
export interface ValueInputs {
  readonly value: ArrayLike<number>;
  readonly oldValue: ArrayLike<number>;
  readonly returns: ArrayLike<number>;
}

type F32 = Tensor<'f32'>;

export async function runPolicyLoss(
  backend: Backend,
  { name, inputs, settings, entropySettings, values }: PolicyLossCase,
): Promise<PolicyLossResult> {
  const { B, T } = inputs;
  // A trajectory's first token is no target, so one is added in front.
  const context = T + 1;
  const [R, K] = [B * context, TERM_COLUMNS];
  const f32 = (label: string, data: ArrayLike<number>): F32 => {
    const tensor = backend.tensor(label, 'f32', 1, data.length);
    backend.write(tensor, Float32Array.from(data));
    return tensor;
  };
  const u32 = (label: string, data: readonly number[]): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', 1, data.length);
    backend.write(tensor, Uint32Array.from(data));
    return tensor;
  };
  const empty = (label: string, stride: number): F32 => f32(label, new Float32Array(stride));
  /** [B,T] with that token, NaN, in front of each trajectory; packed and dense tensors are the same here. */
  const padded = (label: string, data: ArrayLike<number>): F32 =>
    f32(
      label,
      Array.from({ length: R }, (_, i) =>
        i % context === 0 ? Number.NaN : data[Math.floor(i / context) * T + (i % context) - 1],
      ),
    );

  const roleOf = (i: number): number => {
    if (i % context === 0) return NO_ROLE;
    return inputs.mask[Math.floor(i / context) * T + (i % context) - 1] === 1 ? ROLE.action : ROLE.observation;
  };
  const indices = Array.from({ length: R }, (_, i) => i);
  const rows: Sequences = {
    table: u32(
      'table',
      indices.flatMap((i) => {
        const [b, position] = [Math.floor(i / context), i % context];
        return [0, position, b * context, packMeta(position === 0 ? ROLE.prompt : roleOf(i), 0, b)];
      }),
    ),
    count: u32('count', [R]),
    start: u32(
      'start',
      Array.from({ length: B + 1 }, (_, b) => b * context),
    ),
    sequences: B,
    capacity: R,
  };
  const batch: Batch = {
    roles: u32('roles', indices.map(roleOf)),
    trajectories: B,
    context,
    groupStart: u32('groupStart', [0, B]),
    groups: 1,
    outcomes: f32(
      'outcomes',
      Array.from({ length: B * OUTCOME_COLUMNS }, (_, i) => (i % OUTCOME_COLUMNS === OUTCOME.usable ? 1 : 0)),
    ),
  };
  const group = new Float32Array(GROUP_COLUMNS);
  group[GROUP.kept] = 1;
  const t = {
    hyper: f32('hyper', hyperRow(settings, HYPER_COLUMNS)),
    group: f32('group', group),
    logProb: padded('logProb', inputs.logProb),
    oldLogProb: padded('oldLogProb', inputs.oldLogProb),
    behaviourLogProb: padded('behaviourLogProb', inputs.behaviourLogProb),
    referenceLogProb: padded('referenceLogProb', inputs.referenceLogProb),
    entropy: padded('entropy', inputs.entropy),
    advantage: padded('advantage', inputs.advantage),
    policyWeight: empty('policyWeight', R),
    actionWeight: empty('actionWeight', R),
    selection: empty('selection', R),
    segments: empty('segments', R * SEGMENT_COLUMNS),
    weightScratch: empty('weightScratch', policyWeightScratch(batch)),
    selectionScratch: empty('selectionScratch', selectionScratch(batch)),
    dLogProb: empty('dLogProb', R),
    dEntropy: empty('dEntropy', R),
    dValue: empty('dValue', R),
    terms: empty('terms', R * K),
    sums: empty('sums', K),
    sequenceSums: empty('sequenceSums', B * K),
  };
  const bonus = entropySettings && {
    hyper: f32('hyper of the bonus', hyperRow(entropySettings, HYPER_COLUMNS)),
    actionWeight: empty('actionWeight of the bonus', R),
    terms: empty('terms of the bonus', R * K),
    sums: empty('sums of the bonus', K),
  };
  const value = values && {
    value: padded('value', values.value),
    oldValue: padded('oldValue', values.oldValue),
    returns: padded('returns', values.returns),
    actionWeight: t.actionWeight,
  };
  const weights = backend.record(`weights of ${name}`, 1, (ops) => {
    ops.policyWeights(t.policyWeight, t.actionWeight, t.weightScratch, batch, t, t.hyper);
  });
  const program = backend.record(name, 1, (ops) => {
    if (value) ops.valueObjective(t.dValue, t.terms, rows, value, t.hyper, context);
    else {
      ops.selectTokens(t.selection, t.selectionScratch, batch, t, t.hyper);
      ops.ratioSegments(t.segments, rows, t, t.hyper, context);
      ops.policyObjective(t.dLogProb, t.terms, rows, t, t.hyper, context);
      const { logProb, referenceLogProb, oldLogProb, entropy, actionWeight } = t;
      const regularised = { logProb, referenceLogProb, oldLogProb, entropy, actionWeight };
      ops.regularise(t.dLogProb, t.dEntropy, t.terms, rows, regularised, t.hyper, context);
      if (bonus) {
        ops.policyWeights(t.policyWeight, bonus.actionWeight, t.weightScratch, batch, t, bonus.hyper);
        const inputs = { ...regularised, actionWeight: bonus.actionWeight };
        ops.regularise(t.dLogProb, t.dEntropy, bonus.terms, rows, inputs, bonus.hyper, context);
        ops.sumColumns(bonus.sums, t.sequenceSums, bonus.terms, rows, { accumulate: false });
      }
    }
    ops.sumColumns(t.sums, t.sequenceSums, t.terms, rows, { accumulate: false });
  });
  await backend.prepare();
  backend.run(weights);
  if (inputs.policyFactor !== null) {
    const factor = inputs.policyFactor;
    const tokenAt = (row: number): number => row - Math.floor(row / context) - 1;
    const [found] = await backend.read(t.policyWeight);
    const scaled = found.map((value, row) => (value === 0 ? 0 : value * factor[tokenAt(row)]));
    backend.write(t.policyWeight, scaled);
  }
  backend.run(program);
  const outputs = [t.dLogProb, t.dEntropy, t.dValue, t.actionWeight, t.terms, t.sums, t.sequenceSums] as const;
  const [dLogProb, dEntropy, dValue, actionWeight, terms, sums, sequenceSums] = await backend.read(...outputs);
  const [bonusSums] = bonus ? await backend.read(bonus.sums) : [new Float32Array(K)];
  const targets = indices.filter((i) => i % context !== 0);
  const atTargets = (data: ArrayLike<number>): Float64Array => Float64Array.from(targets, (i) => data[i]);
  const sum = (column: number): number => sums[column];
  return {
    loss: sum(TERM.policyLoss) + sum(TERM.regulariserLoss) + sum(TERM.valueLoss) + bonusSums[TERM.regulariserLoss],
    dLogProb: atTargets(dLogProb),
    dEntropy: atTargets(dEntropy),
    dValue: atTargets(dValue),
    actionWeight: atTargets(actionWeight),
    term: (column) => Float64Array.from(targets, (i) => terms[i * K + column]),
    sum,
    sequenceSums: (column) => Float64Array.from({ length: B }, (_, b) => sequenceSums[b * K + column]),
  };
}
