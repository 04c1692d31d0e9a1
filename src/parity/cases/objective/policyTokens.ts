/**
 * Parity cases of segments and surrogates. The tolerance is 2e-6 + 2e-5·|x| (exp in float32), with 1e-4·|x| where log-ratios
 * are huge.
 */

import { isDrawn } from '../../../foundation/roles';
import { CHOICES } from '../../../hyperparameters/columns';
import { TERM, TERM_COLUMNS } from '../../../tensor/columns';
import { SEGMENT_COLUMNS } from '../../../tensor/operations/policyObjective';
import { contextOf, denseOfRows } from '../batch';
import { type CaseTensors, normalRows, type ParityCase, randomFor, rowMask, type TensorSpec, unwritten } from '../case';
import { type Lengths, type PackedRows, packRows, SHAPES } from '../rows';
import { type CaseMember, EACH_SURROGATE, hyperOf, isCarrying, MEMBERS } from './policyMembers';

export const LOSS = { atol: 2e-6, rtol: 2e-5 };
const EXTREME = { atol: 2e-6, rtol: 1e-4 };

const WRITTEN: ReadonlySet<number> = new Set([
  ...[0, 1, 2, 3, 4, 5, 6],
  TERM.ratio,
  TERM.outside,
  TERM.decodingLogRatio,
]);

export function termMask(rows: PackedRows, written: ReadonlySet<number>): Uint8Array {
  return rowMask(rows.counts, rows.capacity, TERM_COLUMNS).map((used, i) =>
    used === 1 && written.has(i % TERM_COLUMNS) ? 1 : 0,
  );
}

interface Numbers {
  /** Log-prob − old log-prob of the rows in turn; random where absent. */
  readonly differences?: readonly number[];
  readonly tolerance?: { readonly atol: number; readonly rtol: number };
}

/**
 * Case of ratio segments and policy loss, with the settings of each member; numbers that a member must not read are NaN.
 */
export function objectiveCase(
  name: string,
  members: readonly CaseMember[],
  lengths: Lengths,
  numbers: Numbers = {},
): ParityCase {
  const random = randomFor(name);
  const rows = packRows(random, lengths, { vocabulary: 16 });
  const { capacity, counts } = rows;
  const { differences, tolerance = LOSS } = numbers;
  const P = members.length;
  const context = contextOf(rows);
  const reads = (p: number, role: number): boolean => isDrawn(role) || isCarrying(members[p], role);
  const logProb = normalRows(random, counts, capacity, 1, 0.6);
  for (let i = 0; i < logProb.data.length; i++) logProb.data[i] = -Math.abs(logProb.data[i]) - 0.05;
  const oldLogProb = denseOfRows(rows, context, ({ p, r, role }) => {
    const here = logProb.data[p * capacity + r];
    if (!reads(p, role)) return Number.NaN;
    if (differences) return here - differences[r % differences.length];
    return r % 7 === 3 ? here : here + 0.35 * random.normal();
  });
  // With log-probs that are multiples of ½ the given differences are exact.
  if (differences) {
    logProb.data.forEach((value, i) => {
      logProb.data[i] = Math.round(value) - 0.5;
    });
    oldLogProb.data.set(
      denseOfRows(rows, context, ({ p, r, role }) =>
        reads(p, role) ? logProb.data[p * capacity + r] - differences[r % differences.length] : Number.NaN,
      ).data,
    );
  }
  const carried = (value: (r: number) => number): TensorSpec =>
    denseOfRows(rows, context, ({ p, r, role }) => (isCarrying(members[p], role) ? value(r) : Number.NaN));
  const behaviourLogProb = denseOfRows(rows, context, ({ role }) => (isDrawn(role) ? 0 : Number.NaN));
  behaviourLogProb.data.forEach((value, i) => {
    const old = oldLogProb.data[i];
    if (!Number.isNaN(value)) behaviourLogProb.data[i] = differences ? old : old + 0.2 * random.normal();
  });
  // Rows that no operation may read.
  for (let p = 0; p < P; p++) {
    for (let r = 0; r < counts[p]; r++) {
      const [position, meta] = [1, 3].map((field) => rows.tensors['rows.table'].data[(p * capacity + r) * 4 + field]);
      if (position === 0 || !reads(p, meta & 15)) logProb.data[p * capacity + r] = Number.NaN;
    }
  }
  const compared = rowMask(counts, capacity, 1);
  return {
    operation: 'policyObjective',
    name,
    members: P,
    tensors: {
      ...rows.tensors,
      logProb,
      oldLogProb,
      behaviourLogProb,
      advantage: carried((r) => (r % 11 === 5 ? 0 : random.normal())),
      policyWeight: carried((r) => (r % 5 === 1 ? 0 : (1 + random.unit()) / 16)),
      selection: carried((r) => (r % 6 === 4 ? 0 : 1 + (r % 2))),
      segments: unwritten(P, capacity * SEGMENT_COLUMNS),
      dLogProb: unwritten(P, capacity),
      terms: unwritten(P, capacity * TERM_COLUMNS),
      hyper: hyperOf(members),
    },
    build: (ops, t) => recordObjective(ops, t, context),
    outputs: [
      { tensor: 'segments', ...tolerance, compared: rowMask(counts, capacity, SEGMENT_COLUMNS) },
      { tensor: 'dLogProb', ...tolerance, compared, exactZeros: !differences },
      { tensor: 'terms', ...tolerance, compared: termMask(rows, WRITTEN), exactZeros: !differences },
    ],
  };
}

export function recordObjective(ops: Parameters<ParityCase['build']>[0], t: CaseTensors, context: number): void {
  const [logProb, oldLogProb, behaviourLogProb] = [t.f32('logProb'), t.f32('oldLogProb'), t.f32('behaviourLogProb')];
  const [advantage, policyWeight, selection] = [t.f32('advantage'), t.f32('policyWeight'), t.f32('selection')];
  const [segments, hyper] = [t.f32('segments'), t.f32('hyper')];
  const inputs = { logProb, oldLogProb, behaviourLogProb, advantage, policyWeight, selection };
  ops.ratioSegments(segments, t.sequences(), inputs, hyper, context);
  const perToken = { logProb, oldLogProb, advantage, policyWeight, segments };
  ops.policyObjective(t.f32('dLogProb'), t.f32('terms'), t.rows(), perToken, hyper, context);
}

const lengthsFor = (members: number, long: number): Lengths =>
  Array.from({ length: members }, (_, p) => [long - (p % 5), p % 3 === 0 ? 0 : 7, 1 + (p % 4)]);

export function objectiveCases(): ParityCase[] {
  const clamped = CHOICES.logRatioClamp.flatMap((logRatioClamp): CaseMember[] => [
    ...EACH_SURROGATE.map((own) => ({ ...own, logRatioClamp })),
    { logRatioClamp, ratioLevel: 'sequence', ratioGradient: 'differentiable' },
    { logRatioClamp, ratioLevel: 'turn' },
  ]);
  const huge = [200, -200, 20, -20, 20.5, -20.5, 10, 10.5, 0, 0.5, -50, 50];
  return [
    objectiveCase('policyObjective, every choice', MEMBERS, lengthsFor(MEMBERS.length, 37)),
    objectiveCase('policyObjective of huge log-ratios', clamped, lengthsFor(clamped.length, 30), {
      differences: huge,
      tolerance: EXTREME,
    }),
    ...SHAPES.map(({ name, lengths }, i) =>
      objectiveCase(
        `policyObjective ${name}`,
        lengths.map((_, p) => MEMBERS.at(-1 - i - 2 * p) as CaseMember),
        lengths,
      ),
    ),
  ];
}

/** Cases of ratioSegments alone, as in objectiveCase() without the loss. */
export function segmentCases(): ParityCase[] {
  const members: readonly CaseMember[] = CHOICES.ratioLevel.map((ratioLevel) => ({
    ratioLevel,
    ratioGradient: 'differentiable',
  }));
  const whole = objectiveCase('ratioSegments of every level', members, lengthsFor(members.length, 70));
  return [{ ...whole, operation: 'ratioSegments', outputs: whole.outputs.slice(0, 1) }];
}
