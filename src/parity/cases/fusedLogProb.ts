/**
 * Parity cases of log-probs without stored logits. Hidden states that predict no needed target are NaN; in the backward pass
 * so are those whose target has no derivative.
 */
import type { RandomStream } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import type { Operations } from '../../tensor/backend';
import { GRADIENT_CHUNK, ROW_FIELDS } from '../../tensor/layout';
import {
  type CaseTensors,
  normal,
  normalRows,
  type ParameterPlan,
  type ParityCase,
  partialsFor,
  placeParameters,
  randomFor,
  rowMask,
  type TensorSpec,
  unwritten,
} from './case';
import { ACTION_MASK, EVERYTHING, hyperTensor, WORLD_MODEL } from './hyper';
import { LEGAL_SETS } from './logits';
import { type Lengths, legalSetTensor, makeTokensLegal, manyShort, type PackedRows, packRows, SHAPES } from './rows';

/** Sizes: widths below and above a workgroup's threads, vocabularies that end in the middle of tiles. */
const SETTINGS: readonly {
  readonly shape: string;
  readonly lengths: Lengths;
  readonly C: number;
  readonly V: number;
}[] = [
  ...SHAPES.map(({ name, lengths }, i) => ({
    shape: name,
    lengths,
    C: [8, 20, 68, 16][i],
    V: [16, 520, 80, 272][i],
  })),
  { shape: '2 × 35 trajectories', lengths: manyShort(randomFor('fused'), 2, 35), C: 12, V: 44 },
];

interface Setting {
  readonly rows: PackedRows;
  readonly plan: ParameterPlan;
  readonly tensors: Readonly<Record<string, TensorSpec>>;
}

function setting(random: RandomStream, { lengths, C, V }: (typeof SETTINGS)[number]): Setting {
  const rows = packRows(random, lengths, { vocabulary: V, legalSets: LEGAL_SETS });
  const { members, capacity, counts } = rows;
  const legalSets = legalSetTensor(random, LEGAL_SETS, V);
  makeTokensLegal(rows, legalSets, V);
  const plan = placeParameters('parameters', [C, V]);
  return {
    rows,
    plan,
    tensors: {
      ...rows.tensors,
      legalSets,
      hyper: hyperTensor(...[WORLD_MODEL, EVERYTHING, ACTION_MASK].slice(0, members)),
      parameters: normal(random, members, plan.size, 0.7),
      hidden: normalRows(random, counts, capacity, C, 2 / Math.sqrt(C)),
      logProb: unwritten(members, capacity),
      entropy: unwritten(members, capacity),
      logSumExp: unwritten(members, capacity * 2),
    },
  };
}

/** Writes NaN to hidden states of rows, unless `isUsed` is true for the next row. */
function poison(
  hidden: TensorSpec,
  { counts, capacity }: PackedRows,
  C: number,
  isUsed: (row: number) => boolean,
): void {
  counts.forEach((count, p) => {
    for (let r = 0; r < capacity; r++) {
      const row = p * capacity + r;
      if (r + 1 >= count || !isUsed(row + 1)) hidden.data.fill(Number.NaN, row * C, (row + 1) * C);
    }
  });
}

/** True if a row is a needed target; prompts only where they have a loss, as in the second member. */
function isNeeded({ capacity, tensors }: PackedRows, row: number): boolean {
  const [position, meta] = [1, 3].map((field) => tensors['rows.table'].data[row * ROW_FIELDS + field]);
  const isPrompt = (meta & 15) === ROLE.prompt;
  return position !== 0 && (!isPrompt || Math.floor(row / capacity) === 1);
}

const recordForward = (ops: Operations, t: CaseTensors, plan: ParameterPlan): void => {
  const outputs = [t.f32('logProb'), t.f32('entropy'), t.f32('logSumExp')] as const;
  const [head] = plan.places.map(t.view);
  ops.fusedLogProb(...outputs, t.f32('hidden'), t.rows(), head!, t.u32('legalSets'), t.f32('hyper'));
};

const forwardCases = SETTINGS.map((own): ParityCase => {
  const name = `fusedLogProb ${own.shape}, width ${own.C}, vocabulary ${own.V}`;
  const { rows, plan, tensors } = setting(randomFor(name), own);
  poison(tensors.hidden as TensorSpec, rows, own.C, (row) => isNeeded(rows, row));
  return {
    operation: 'fusedLogProb',
    name,
    members: rows.members,
    tensors,
    build: (ops, t) => recordForward(ops, t, plan),
    outputs: Object.entries({ logProb: 1, entropy: 1, logSumExp: 2 }).map(([tensor, width]) => ({
      tensor,
      atol: 1e-5,
      rtol: 4e-6,
      compared: rowMask(rows.counts, rows.capacity, width),
      exactZeros: true,
    })),
  };
});

const backwardCase = (own: (typeof SETTINGS)[number], isFrozen: boolean): ParityCase => {
  const name = `fusedLogProbBackward ${own.shape}, width ${own.C}, vocabulary ${own.V}`;
  const random = randomFor(name);
  const { rows, plan, tensors } = setting(random, own);
  const { members, capacity, counts, sequences } = rows;
  const dLogProb = normalRows(random, counts, capacity, 1);
  const dEntropy = normalRows(random, counts, capacity, 1, 0.3);
  for (let row = 0; row < members * capacity; row++) {
    if (row % 5 === 4) dLogProb.data[row] = 0;
    if (row % 3 === 2 || row % 5 === 4) dEntropy.data[row] = 0;
  }
  // The backward pass gets a copy with NaN in rows that only the forward pass may read.
  const poisoned = { ...(tensors.hidden as TensorSpec), data: (tensors.hidden as TensorSpec).data.slice() };
  poison(poisoned, rows, own.C, (row) => isNeeded(rows, row) && row % 5 !== 4);
  return {
    operation: 'fusedLogProbBackward',
    name: isFrozen ? `${name}, head frozen` : name,
    members,
    tensors: {
      ...tensors,
      poisoned,
      dLogProb,
      dEntropy,
      dHidden: unwritten(members, capacity * own.C),
      partials: partialsFor(members, Math.ceil(sequences / GRADIENT_CHUNK), plan),
    },
    build: (ops, t) => {
      recordForward(ops, t, plan);
      const [head] = plan.places.map(t.view);
      ops.fusedLogProbBackward(
        t.f32('dHidden'),
        isFrozen ? null : t.f32('partials'),
        t.f32('dLogProb'),
        t.f32('dEntropy'),
        t.f32('entropy'),
        t.f32('logSumExp'),
        t.f32('poisoned'),
        t.sequences(),
        head!,
        t.u32('legalSets'),
        t.f32('hyper'),
      );
    },
    outputs: [
      { tensor: 'dHidden', atol: 2e-5, rtol: 4e-5, compared: rowMask(counts, capacity, own.C), exactZeros: true },
      ...(isFrozen ? [] : [{ tensor: 'partials', atol: 2e-5, rtol: 4e-5, exactZeros: true }]),
    ],
  };
};

const backwardCases = [
  ...SETTINGS.map((own) => backwardCase(own, false)),
  ...SETTINGS.slice(0, 2).map((own) => backwardCase(own, true)),
];

export const FUSED_LOG_PROB_CASES: readonly ParityCase[] = [...forwardCases, ...backwardCases];
