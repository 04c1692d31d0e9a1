/** Drawing from a nucleus and from a mixture with the uniform distribution: shares and log-probs by hand. */
import { describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import type { Backend, Operations } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { emptyTensor, f32Tensor, ran, rowsTensor, u32Tensor } from '../support/tensors';

/** Probabilities of eight words; the last three are not legal. */
const POLICY = [0.1, 0.45, 0.25, 0.15, 0.05, 0.6, 0.3, 0.1];
const LEGAL = 5;
const PICKS = 4000;
const VOCABULARY = 16;

/** Draws PICKS tokens; shares of the words, and the log-prob recorded for each. */
async function draw(backend: Backend, settings: { topP?: number; uniformShare?: number }) {
  const row = new Float32Array(HYPER_COLUMNS);
  row[HYPER.temperature] = 1;
  for (const [name, value] of Object.entries(settings)) row[HYPER[name as 'topP']] = value;
  const table = new Uint32Array(PICKS * ROW_FIELDS);
  for (let i = 0; i < PICKS; i++) table.set([0, 3, i, packMeta(ROLE.action, 1, i)], i * ROW_FIELDS);
  const logits = Array.from({ length: PICKS * VOCABULARY }, (_, i) => Math.log(POLICY[i % VOCABULARY] ?? 1));
  const token = backend.tensor('token', 'u32', 1, PICKS);
  const logProb = emptyTensor(backend, PICKS);
  const legal = u32Tensor(backend, [0xffff, 2 ** LEGAL - 1]);
  const inputs = [f32Tensor(backend, logits), rowsTensor(backend, table), legal, f32Tensor(backend, row)] as const;
  const keys = [u32Tensor(backend, [7, 3, 1, 0]), u32Tensor(backend, [0])] as const;
  const draws = (ops: Operations): void => ops.sample(token, logProb, ...inputs, ...keys, VOCABULARY);
  const [tokens, logProbs] = await ran(backend, 1, draws, [token, logProb]);
  const counts = Array.from({ length: VOCABULARY }, () => 0);
  const recorded = new Map<number, number>();
  Array.from(tokens).forEach((word, i) => {
    counts[word] = (counts[word] ?? 0) + 1;
    recorded.set(word, logProbs[i] as number);
  });
  return { shares: counts.map((count) => count / PICKS), recorded };
}

const SETTINGS = [
  { settings: {}, expected: [0.1, 0.45, 0.25, 0.15, 0.05] },
  { settings: { topP: 0.6 }, expected: [0, 0.45 / 0.7, 0.25 / 0.7, 0, 0] },
  { settings: { topP: 0.3 }, expected: [0, 1, 0, 0, 0] },
  { settings: { uniformShare: 0.5 }, expected: [0.15, 0.325, 0.225, 0.175, 0.125] },
  { settings: { uniformShare: 1 }, expected: [0.2, 0.2, 0.2, 0.2, 0.2] },
  {
    settings: { topP: 0.6, uniformShare: 0.1 },
    expected: [0.02, (0.9 * 0.45) / 0.7 + 0.02, (0.9 * 0.25) / 0.7 + 0.02, 0.02, 0.02],
  },
] as const;

const backends = [
  { name: 'the reference', create: async (): Promise<Backend> => new ReferenceBackend() },
  { name: 'the CPU', create: (): Promise<Backend> => createCpuBackend() },
];

describe.each(backends)('Sampling on $name', ({ create }) => {
  test.each(SETTINGS)(
    'with $settings draws words by their shares, and records these',
    async ({ settings, expected }) => {
      const { shares, recorded } = await draw(await create(), settings);
      shares.forEach((share, word) => {
        const probability = expected[word] ?? 0;
        // Four standard deviations of 4000 draws.
        expect(Math.abs(share - probability)).toBeLessThanOrEqual(
          4 * Math.sqrt((probability * (1 - probability)) / PICKS),
        );
        if (probability > 0) expect(recorded.get(word)).toBeCloseTo(Math.log(probability), 5);
      });
    },
  );
});
