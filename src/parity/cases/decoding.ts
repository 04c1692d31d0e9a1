/** Parity cases of decoding: drawing tokens, and actions of several tokens. */
import type { RandomStream } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import { packMeta, ROW_FIELDS } from '../../tensor/layout';
import { f32, normalRows, type ParityCase, randomFor, rowMask, type TensorSpec, u32, unwritten } from './case';
import { ACTION_MASK, EVERYTHING, type HyperOptions, hyperTensor, WORLD_MODEL } from './hyper';
import { LEGAL_SETS, LOGITS } from './logits';
import { legalSetTensor } from './rows';

/** Tables of picks (row, position, trajectory, meta). counts: picks of each member. */
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

const NUCLEUS: HyperOptions = { ...WORLD_MODEL, topP: 0.83 };
const MIXTURE: HyperOptions = { ...EVERYTHING, uniformShare: 0.27 };

/** Members that draw from the policy, from a nucleus and a mixture, and from both beside one that does not explore. */
const SAMPLING: readonly (readonly [
  name: string,
  members: readonly HyperOptions[],
  vocabularies: readonly number[],
])[] = [
  ['', [WORLD_MODEL, EVERYTHING, ACTION_MASK], [16, 48, 80]],
  [', top-p and ε', [NUCLEUS, MIXTURE, ACTION_MASK], [16, 80]],
  [', top-p with ε', [{ ...NUCLEUS, topP: 0.61, uniformShare: 0.1 }, EVERYTHING, ACTION_MASK], [48]],
];

function sampleCases(): ParityCase[] {
  const counts = [[1], [7, 4], [33, 32, 0]];
  const cases: ParityCase[] = [];
  for (const own of counts) {
    for (const [exploring, members, V] of SAMPLING.flatMap(([name, all, sizes]) =>
      sizes.map((size) => [name, all, size] as const),
    )) {
      for (const kind of LOGITS) {
        const name = `sample ${own.join(', ')} picks, vocabulary ${V}, ${kind.name} logits${exploring}`;
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
            hyper: hyperTensor(...members.slice(0, P)),
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

/** Two steps of actions that end at the first or second token, by stop token or length, had ended before, or go on. */
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
    const left = u32(
      P,
      Array.from({ length: P * capacity }, () => random.below(5)),
    );
    const picks = pickTensors(random, own, capacity);
    const steady = new Uint8Array(P * capacity * ROW_FIELDS);
    own.forEach((count, p) => {
      for (let i = 0; i < count; i++) {
        const had = left.data[p * capacity + i] === 0;
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
        left,
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
            t.u32('left'),
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
        { tensor: 'left', atol: 0, rtol: 0, compared: rowMask(own, capacity, 1) },
        { tensor: 'sampled', atol: 0, rtol: 0, compared: slots },
        { tensor: 'sampledLogProb', atol: 0, rtol: 0, compared: slots },
      ],
    };
  });
}

export const DECODING_CASES: readonly ParityCase[] = [...sampleCases(), ...continueActionCases()];
