/**
 * Parity cases of the masked log-prob, its gradient, and decoding. WGSL promises log to 2⁻²¹ near 1 and exp to 3 + 2|x|
 * units in the last place, hence 2e-6 + 2.5e-7·max|logit|; the log-sum-exp of logits near 10⁴ is itself rounded to 5e-4,
 * which the gradient inherits.
 */
import type { RandomStream } from '../../../src/foundation/philox';
import { ROLE } from '../../../src/foundation/roles';
import { packMeta, ROW_FIELDS } from '../../../src/tensor/layout';
import { f32, normalRows, type ParityCase, randomFor, rowMask, type TensorSpec, u32, unwritten } from './case';
import { ACTION_MASK, EVERYTHING, type HyperOptions, hyperTensor, WORLD_MODEL } from './hyper';
import { legalSetTensor, makeTokensLegal, type PackedRows, packRows, SHAPES } from './rows';

const LEGAL_SETS = 4;

interface Logits {
  readonly name: string;
  /** Largest finite |logit|, for the tolerance. */
  readonly largest: number;
  readonly gradientAtol: number;
  draw(random: RandomStream, v: number): number;
}

const LOGITS: readonly Logits[] = [
  { name: 'ordinary', largest: 8, gradientAtol: 3e-6, draw: (random) => 2 * random.normal() },
  {
    name: '±1e4',
    largest: 1e4,
    gradientAtol: 4e-3,
    draw: (random) => [-1e4, 0, 9999.5, 1e4][random.below(4)] as number,
  },
  {
    name: 'some −∞',
    largest: 8,
    gradientAtol: 3e-6,
    // Token 0 is in every legal set and stays finite.
    draw: (random, v) => (v > 0 && random.unit() < 0.3 ? Number.NEGATIVE_INFINITY : random.normal()),
  },
];

interface Setting {
  readonly rows: PackedRows;
  readonly legalSets: TensorSpec;
  readonly logits: TensorSpec;
  readonly hyper: TensorSpec;
}

/** Logits in the rows that predict a needed target, NaN in all others. */
function setting(random: RandomStream, shape: (typeof SHAPES)[number], V: number, kind: Logits): Setting {
  const rows = packRows(random, shape.lengths, { vocabulary: V, legalSets: LEGAL_SETS });
  const legalSets = legalSetTensor(random, LEGAL_SETS, V);
  makeTokensLegal(rows, legalSets, V);
  const options: readonly HyperOptions[] = [ACTION_MASK, EVERYTHING, WORLD_MODEL].slice(0, rows.members);
  const table = rows.tensors['rows.table'].data;
  const logits = new Float32Array(rows.members * rows.capacity * V).fill(Number.NaN);
  rows.counts.forEach((count, p) => {
    for (let r = 1; r < count; r++) {
      const first = (p * rows.capacity + r) * ROW_FIELDS;
      const promptIsNeeded = options[p] === EVERYTHING;
      if (table[first + 1] === 0) continue;
      if (((table[first + 3] as number) & 15) === ROLE.prompt && !promptIsNeeded) continue;
      const row = (p * rows.capacity + r - 1) * V;
      for (let v = 0; v < V; v++) logits[row + v] = kind.draw(random, v);
      const token = table[first] as number;
      if (!Number.isFinite(logits[row + token])) logits[row + token] = random.normal();
    }
  });
  return { rows, legalSets, logits: f32(rows.members, logits), hyper: hyperTensor(...options) };
}

function maskedLogProbCases(): ParityCase[] {
  const cases: ParityCase[] = [];
  for (const shape of SHAPES) {
    for (const V of [16, 48, 80, 272]) {
      for (const kind of LOGITS) {
        const name = `maskedLogProb ${shape.name}, vocabulary ${V}, ${kind.name} logits`;
        const random = randomFor(name);
        const { rows, ...own } = setting(random, shape, V, kind);
        const { members, capacity, counts } = rows;
        const compared = rowMask(counts, capacity, 1);
        const tolerance = { atol: 2e-6 + 2.5e-7 * kind.largest, rtol: 2e-6, compared, exactZeros: true };
        cases.push({
          operation: 'maskedLogProb',
          name,
          members,
          tensors: {
            ...rows.tensors,
            ...own,
            logProb: unwritten(members, capacity),
            entropy: unwritten(members, capacity),
            logSumExp: unwritten(members, capacity * 2),
          },
          build: (ops, t) => {
            ops.maskedLogProb(
              t.f32('logProb'),
              t.f32('entropy'),
              t.f32('logSumExp'),
              t.f32('logits'),
              t.rows(),
              t.u32('legalSets'),
              t.f32('hyper'),
              V,
            );
          },
          outputs: [
            { tensor: 'logProb', ...tolerance },
            { tensor: 'entropy', ...tolerance },
            { tensor: 'logSumExp', ...tolerance, compared: rowMask(counts, capacity, 2) },
          ],
        });
      }
    }
  }
  return cases;
}

/** Random derivatives; every fifth row has none, every third none by entropy. */
function derivatives(random: RandomStream, rows: PackedRows): { dLogProb: TensorSpec; dEntropy: TensorSpec } {
  const dLogProb = normalRows(random, rows.counts, rows.capacity, 1);
  const dEntropy = normalRows(random, rows.counts, rows.capacity, 1, 0.3);
  rows.counts.forEach((count, p) => {
    for (let r = 0; r < count; r++) {
      if (r % 5 === 4) dLogProb.data[p * rows.capacity + r] = 0;
      if (r % 3 === 2 || r % 5 === 4) dEntropy.data[p * rows.capacity + r] = 0;
    }
  });
  return { dLogProb, dEntropy };
}

function maskedLogProbBackwardCases(): ParityCase[] {
  const cases: ParityCase[] = [];
  for (const shape of SHAPES) {
    for (const V of [16, 48, 80, 272]) {
      for (const kind of LOGITS) {
        const name = `maskedLogProbBackward ${shape.name}, vocabulary ${V}, ${kind.name} logits`;
        const random = randomFor(name);
        const { rows, ...own } = setting(random, shape, V, kind);
        const { members, capacity, counts } = rows;
        cases.push({
          operation: 'maskedLogProbBackward',
          name,
          members,
          tensors: {
            ...rows.tensors,
            ...own,
            ...derivatives(random, rows),
            logProb: unwritten(members, capacity),
            entropy: unwritten(members, capacity),
            logSumExp: unwritten(members, capacity * 2),
          },
          build: (ops, t) => {
            const [entropy, logSumExp, logits] = [t.f32('entropy'), t.f32('logSumExp'), t.f32('logits')];
            const [sets, hyper] = [t.u32('legalSets'), t.f32('hyper')];
            ops.maskedLogProb(t.f32('logProb'), entropy, logSumExp, logits, t.rows(), sets, hyper, V);
            ops.maskedLogProbBackward(
              logits,
              t.f32('dLogProb'),
              t.f32('dEntropy'),
              entropy,
              logSumExp,
              t.rows(),
              sets,
              hyper,
              V,
            );
          },
          outputs: [
            {
              tensor: 'logits',
              atol: kind.gradientAtol,
              rtol: 2e-5,
              compared: rowMask(counts, capacity, V),
              exactZeros: true,
            },
          ],
        });
      }
    }
  }
  return cases;
}

/** Picks (row, position, trajectory, meta); `counts` differ between members. */
function pickTensors(random: RandomStream, counts: readonly number[], capacity: number): Record<string, TensorSpec> {
  const table = new Uint32Array(counts.length * capacity * ROW_FIELDS).fill(0xffffffff);
  counts.forEach((count, p) => {
    for (let i = 0; i < count; i++) {
      const trajectory = 3 * i + p;
      const meta = packMeta(ROLE.action, random.below(LEGAL_SETS), trajectory);
      table.set([random.below(99), 1 + random.below(60), trajectory, meta], (p * capacity + i) * ROW_FIELDS);
    }
  });
  return { 'picks.table': u32(counts.length, table), 'picks.count': u32(counts.length, counts) };
}

function sampleCases(): ParityCase[] {
  const counts = [[1], [7, 4], [33, 32, 0]];
  const cases: ParityCase[] = [];
  for (const own of counts) {
    for (const V of [16, 48, 80]) {
      for (const kind of LOGITS) {
        const name = `sample ${own.join(', ')} picks, vocabulary ${V}, ${kind.name} logits`;
        const random = randomFor(name);
        const [P, capacity] = [own.length, Math.max(...own) + 2];
        const used = rowMask(own, capacity, V);
        cases.push({
          operation: 'sample',
          name,
          members: P,
          tensors: {
            ...pickTensors(random, own, capacity),
            logits: f32(
              P,
              Array.from(used, (isUsed, i) => (isUsed === 1 ? kind.draw(random, i % V) : Number.NaN)),
            ),
            legalSets: legalSetTensor(random, LEGAL_SETS, V),
            hyper: hyperTensor(...[WORLD_MODEL, EVERYTHING, ACTION_MASK].slice(0, P)),
            key: u32(1, [0xdeadbeef, 3, 41, 0]),
            seedIndex: u32(P, [5, 5, 0xfffffffe].slice(0, P)),
            token: u32(P, new Uint32Array(P * capacity).fill(0xffffffff)),
            logProb: unwritten(P, capacity),
          },
          build: (ops, t) => {
            ops.sample(
              t.u32('token'),
              t.f32('logProb'),
              t.f32('logits'),
              t.rows('picks'),
              t.u32('legalSets'),
              t.f32('hyper'),
              t.u32('key'),
              t.u32('seedIndex'),
              V,
            );
          },
          outputs: [
            { tensor: 'token', atol: 0, rtol: 0, compared: rowMask(own, capacity, 1) },
            {
              tensor: 'logProb',
              atol: 2e-6 + 2.5e-7 * kind.largest,
              rtol: 2e-6,
              compared: rowMask(own, capacity, 1),
            },
          ],
        });
      }
    }
  }
  return cases;
}

/** Two steps of an action: some stop at once, some at the second token, some had stopped before, some go on. */
function continueActionCases(): ParityCase[] {
  const counts = [[1], [33, 7, 0]];
  return counts.map((own): ParityCase => {
    const name = `continueAction ${own.join(', ')} picks`;
    const random = randomFor(name);
    const [P, capacity] = [own.length, Math.max(...own) + 2];
    const [stopToken, context, steps] = [2, 24, 3];
    const drawn = (): TensorSpec =>
      u32(
        P,
        Array.from({ length: P * capacity }, () => random.below(4)),
      );
    const stopped = u32(
      P,
      Array.from({ length: P * capacity }, () => (random.unit() < 0.2 ? 1 : 0)),
    );
    const picks = pickTensors(random, own, capacity);
    const steady = new Uint8Array(P * capacity * ROW_FIELDS);
    own.forEach((count, p) => {
      for (let i = 0; i < count; i++) {
        const had = stopped.data[p * capacity + i] === 1;
        if (!had) steady.fill(1, (p * capacity + i) * ROW_FIELDS, (p * capacity + i + 1) * ROW_FIELDS);
      }
    });
    const slots = new Uint8Array(P * steps * capacity);
    own.forEach((count, p) => {
      for (const step of [1, 2]) slots.fill(1, (p * steps + step) * capacity, (p * steps + step) * capacity + count);
    });
    return {
      operation: 'continueAction',
      name,
      members: P,
      tensors: {
        ...picks,
        'rows.table': u32(P, new Uint32Array(P * capacity * ROW_FIELDS).fill(7)),
        'rows.count': u32(P, new Uint32Array(P).fill(99)),
        stopped,
        sampled: u32(P, new Uint32Array(P * steps * capacity).fill(77)),
        sampledLogProb: f32(P, new Float32Array(P * steps * capacity).fill(77)),
        firstToken: drawn(),
        secondToken: drawn(),
        logProb: normalRows(random, own, capacity, 1),
      },
      build: (ops, t) => {
        for (const [step, token] of [
          [1, 'firstToken'],
          [2, 'secondToken'],
        ] as const) {
          ops.continueAction(
            t.rows(),
            t.rows('picks'),
            t.u32('stopped'),
            t.u32('sampled'),
            t.f32('sampledLogProb'),
            t.u32(token),
            t.f32('logProb'),
            { step, stopToken, context },
          );
        }
      },
      outputs: [
        { tensor: 'rows.table', atol: 0, rtol: 0, compared: steady },
        { tensor: 'rows.count', atol: 0, rtol: 0 },
        { tensor: 'picks.table', atol: 0, rtol: 0, compared: rowMask(own, capacity, ROW_FIELDS) },
        { tensor: 'stopped', atol: 0, rtol: 0, compared: rowMask(own, capacity, 1) },
        { tensor: 'sampled', atol: 0, rtol: 0, compared: slots },
        { tensor: 'sampledLogProb', atol: 0, rtol: 0, compared: slots },
      ],
    };
  });
}

export const LOG_PROB_CASES: readonly ParityCase[] = [
  ...maskedLogProbCases(),
  ...maskedLogProbBackwardCases(),
  ...sampleCases(),
  ...continueActionCases(),
];
