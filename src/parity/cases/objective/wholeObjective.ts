/** Parity cases of all parts of the objective, in their order in the loss: GPUs take them together. */
import { isDrawn } from '../../../foundation/roles';
import { TERM, TERM_COLUMNS } from '../../../tensor/columns';
import { SEGMENT_COLUMNS } from '../../../tensor/operations/policyObjective';
import { contextOf, denseOfRows } from '../batch';
import { normalRows, type ParityCase, randomFor, rowMask, type TensorSpec, unwritten } from '../case';
import { type Lengths, packRows, SHAPES } from '../rows';
import { type CaseMember, hyperOf, isCarrying, MEMBERS } from './policyMembers';
import { LOSS, recordObjective, termMask } from './policyTokens';
import { FORM_MEMBERS, KL_MEMBERS, recordCrossEntropy, recordRegularise } from './worldModel';

/** Terms that other operations write. */
const OTHERS: readonly number[] = [TERM.valueLoss, TERM.valueClipped];

function wholeCase(name: string, members: readonly CaseMember[], lengths: Lengths): ParityCase {
  const random = randomFor(name);
  const rows = packRows(random, lengths, { vocabulary: 16 });
  const { capacity, counts } = rows;
  const P = members.length;
  const context = contextOf(rows);
  const logProb = normalRows(random, counts, capacity, 1, 0.6);
  for (let i = 0; i < logProb.data.length; i++) logProb.data[i] = -Math.abs(logProb.data[i]) - 0.05;
  const dense = (reads: (p: number, role: number) => boolean, value: (here: number, r: number) => number): TensorSpec =>
    denseOfRows(rows, context, ({ p, r, role }) =>
      reads(p, role) ? value(logProb.data[p * capacity + r], r) : Number.NaN,
    );
  const near = (deviation: number) => (here: number, r: number) =>
    r % 7 === 3 ? here : here + deviation * random.normal();
  const weight = (r: number, every: number): number => (r % every === 1 ? 0 : (1 + random.unit()) / 16);
  const [all, drawn] = [() => true, (_: number, role: number) => isDrawn(role)];
  const carrying = (p: number, role: number): boolean => isCarrying(members[p], role);
  const own = members.map((_, p) => ({
    ...KL_MEMBERS[p % KL_MEMBERS.length],
    ...FORM_MEMBERS[p % FORM_MEMBERS.length],
  }));
  const written = new Set(Object.values(TERM).filter((column) => !OTHERS.includes(column)));
  const compared = rowMask(counts, capacity, 1);
  return {
    operation: 'crossEntropyObjective',
    name,
    members: P,
    tensors: {
      ...rows.tensors,
      logProb,
      entropy: normalRows(random, counts, capacity, 1),
      oldLogProb: dense(all, near(0.35)),
      behaviourLogProb: dense(drawn, near(0.4)),
      referenceLogProb: dense(drawn, near(0.6)),
      advantage: dense(carrying, (_, r) => (r % 11 === 5 ? 0 : random.normal())),
      policyWeight: dense(carrying, (_, r) => weight(r, 5)),
      actionWeight: dense(drawn, (_, r) => weight(r, 4)),
      crossEntropyWeight: dense(all, (_, r) => weight(r, 3)),
      selection: dense(carrying, (_, r) => (r % 6 === 4 ? 0 : 1 + (r % 2))),
      segments: unwritten(P, capacity * SEGMENT_COLUMNS),
      dLogProb: unwritten(P, capacity),
      dEntropy: unwritten(P, capacity),
      terms: unwritten(P, capacity * TERM_COLUMNS),
      hyper: hyperOf(members, own),
    },
    build: (ops, t) => {
      recordObjective(ops, t, context);
      recordRegularise(ops, t, context);
      recordCrossEntropy(ops, t, context, true);
    },
    outputs: [
      { tensor: 'segments', ...LOSS, compared: rowMask(counts, capacity, SEGMENT_COLUMNS) },
      { tensor: 'dLogProb', ...LOSS, compared },
      { tensor: 'dEntropy', atol: 1e-7, rtol: 1e-6, compared, exactZeros: true },
      { tensor: 'terms', ...LOSS, compared: termMask(rows, written) },
    ],
  };
}

export const WHOLE_OBJECTIVE_CASES: readonly ParityCase[] = [
  wholeCase(
    'the whole objective, every choice',
    MEMBERS,
    MEMBERS.map((_, p) => [37 - (p % 5), p % 3 === 0 ? 0 : 7, 1 + (p % 4)]),
  ),
  ...SHAPES.map(({ name, lengths }, i) =>
    wholeCase(
      `the whole objective, ${name}`,
      lengths.map((_, p) => MEMBERS.at(-1 - i - 2 * p) as CaseMember),
      lengths,
    ),
  ),
];
