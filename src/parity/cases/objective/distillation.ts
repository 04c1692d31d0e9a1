/**
 * Parity cases of the distance from a teacher's distribution. Each log-prob is a difference of logits near 1e4 at worst: 2.5e-7
 * of it; divergences multiply it by probabilities, and the derivatives by weights of a few.
 */
import { DIVERGENCES } from '../../../hyperparameters/distillation';
import { ROW_FIELDS } from '../../../tensor/layout';
import { f32, normal, type ParityCase, randomFor, rowMask, unwritten } from '../case';
import { ACTION_MASK, EVERYTHING, hyperTensor, WORLD_MODEL } from '../hyper';
import { LEGAL_SETS, LOGITS } from '../logits';
import { batchSize, legalSetTensor, packRows, SHAPES } from '../rows';

const CONTEXT = 211;

const distilCase = (at: number, vocabulary: number): ParityCase => {
  const { name: shape, lengths } = SHAPES[at % SHAPES.length];
  const divergence = DIVERGENCES[at % DIVERGENCES.length];
  const kind = LOGITS[Math.floor(at / DIVERGENCES.length) % LOGITS.length];
  const name = `distil ${shape}, vocabulary ${vocabulary}, ${kind.name} logits, ${divergence}`;
  const random = randomFor(name);
  const rows = packRows(random, lengths, { vocabulary, legalSets: LEGAL_SETS });
  const { members, capacity, counts } = rows;
  const rowLength = Math.ceil(vocabulary / 4) * 4;
  const table = rows.tensors['rows.table'].data;
  const drawn = (): Float32Array => {
    const logits = new Float32Array(members * capacity * rowLength).fill(Number.NaN);
    counts.forEach((count, p) => {
      for (let r = 1; r < count; r++) {
        if (table[(p * capacity + r) * ROW_FIELDS + 1] === 0) continue;
        const row = (p * capacity + r - 1) * rowLength;
        for (let v = 0; v < vocabulary; v++) logits[row + v] = kind.draw(random, v);
      }
    });
    return logits;
  };
  const weights = normal(random, members, batchSize(rows.sequences) * CONTEXT);
  // Every fourth place has no weight.
  weights.data.forEach((_, i) => {
    if (i % 4 === 3) weights.data[i] = 0;
  });
  const tolerance = { atol: 3e-6 + 5e-7 * kind.largest, rtol: 2e-5 };
  return {
    operation: 'distil',
    name,
    members,
    tensors: {
      ...rows.tensors,
      legalSets: legalSetTensor(random, LEGAL_SETS, vocabulary),
      logits: f32(members, drawn()),
      teacher: f32(members, drawn()),
      weights,
      distance: unwritten(members, capacity),
      hyper: hyperTensor(...[ACTION_MASK, EVERYTHING, WORLD_MODEL].slice(0, members)),
    },
    build: (ops, t) => {
      const outputs = [t.f32('logits'), t.f32('distance')] as const;
      const options = { vocabulary, divergence, context: CONTEXT };
      ops.distil(...outputs, t.f32('teacher'), t.f32('weights'), t.rows(), t.u32('legalSets'), t.f32('hyper'), options);
    },
    outputs: [
      { tensor: 'distance', ...tolerance, compared: rowMask(counts, capacity, 1) },
      { tensor: 'logits', ...tolerance, compared: rowMask(counts, capacity, rowLength) },
    ],
  };
};

/** Every divergence on every kind of logits, over shapes and vocabularies. */
export const DISTILLATION_CASES: readonly ParityCase[] = Array.from({ length: 12 }, (_, at) =>
  distilCase(at, [33, 7, 80, 513][(at + Math.floor(at / 4)) % 4]),
);
