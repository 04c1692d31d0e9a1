/**
 * Fused log-probs, which never store logits, against the operations that do, on the same backend: linear, maskedLogProb,
 * its gradient, and the gradients of the linear map.
 */
import { describe, expect, test } from 'vitest';
import { allocate, normal, normalRows, placeParameters, randomFor, unwritten } from '../../src/parity/cases/case';
import { ACTION_MASK, EVERYTHING, hyperTensor } from '../../src/parity/cases/hyper';
import { legalSetTensor, makeTokensLegal, manyShort, packRows } from '../../src/parity/cases/rows';
import { GRADIENT_CHUNK } from '../../src/tensor/layout';
import { BACKENDS, backendFor } from './backends';

const SIZES = [
  { C: 32, V: 1500, sequences: 20 },
  { C: 132, V: 260, sequences: 5 },
] as const;

describe.each(BACKENDS)('$name', (one) => {
  const here = backendFor(one);

  test.each(SIZES)('width $C, vocabulary $V, $sequences trajectories', async ({ C, V, sequences }) => {
    const backend = here();
    const random = randomFor(`fused ${C} ${V}`);
    const rows = packRows(random, manyShort(random, 2, sequences), { vocabulary: V, legalSets: 3 });
    const { members: P, capacity: R, counts } = rows;
    const legalSets = legalSetTensor(random, 3, V);
    makeTokensLegal(rows, legalSets, V);
    const plan = placeParameters('parameters', [C, V]);
    const partials = P * Math.ceil(sequences / GRADIENT_CHUNK) * plan.size;
    const zeros = { type: 'f32', members: P, data: new Float32Array(partials) } as const;
    const t = allocate(backend, {
      ...rows.tensors,
      legalSets,
      hyper: hyperTensor(EVERYTHING, ACTION_MASK),
      parameters: normal(random, P, plan.size, 0.7),
      hidden: normalRows(random, counts, R, C, 2 / Math.sqrt(C)),
      dLogProb: normalRows(random, counts, R, 1),
      dEntropy: normalRows(random, counts, R, 1, 0.3),
      logits: unwritten(P, R * V),
      logProb: unwritten(P, R),
      entropy: unwritten(P, R),
      logSumExp: unwritten(P, R * 2),
      dHidden: unwritten(P, R * C),
      partials: zeros,
      fusedLogProb: unwritten(P, R),
      fusedEntropy: unwritten(P, R),
      fusedLogSumExp: unwritten(P, R * 2),
      fusedDHidden: unwritten(P, R * C),
      fusedPartials: zeros,
    });
    const head = t.view(plan.places[0]!);
    const program = backend.record('both', P, (ops) => {
      const derivatives = [t.f32('dLogProb'), t.f32('dEntropy')] as const;
      const shared = [t.u32('legalSets'), t.f32('hyper')] as const;
      const hidden = t.f32('hidden');
      const fused = [t.f32('fusedEntropy'), t.f32('fusedLogSumExp')] as const;
      ops.fusedLogProb(t.f32('fusedLogProb'), ...fused, hidden, t.rows(), head, ...shared);
      const gradients = [t.f32('fusedDHidden'), t.f32('fusedPartials')] as const;
      ops.fusedLogProbBackward(...gradients, ...derivatives, ...fused, hidden, t.sequences(), head, ...shared);
      const [logits, entropy, logSumExp] = [t.f32('logits'), t.f32('entropy'), t.f32('logSumExp')];
      ops.linear(logits, hidden, t.rows(), head, null);
      ops.maskedLogProb(t.f32('logProb'), entropy, logSumExp, logits, t.rows(), ...shared, V);
      ops.maskedLogProbBackward(logits, ...derivatives, entropy, logSumExp, t.rows(), ...shared, V);
      ops.linearBackwardWeight(t.f32('partials'), hidden, logits, t.sequences(), head, null);
      ops.linearBackwardInput(t.f32('dHidden'), logits, hidden, t.rows(), head);
    });
    await backend.prepare();
    backend.run(program);
    const widths = { logProb: 1, entropy: 1, logSumExp: 2, dHidden: C } as const;
    for (const [name, width] of [...Object.entries(widths), ['partials', 0] as const]) {
      const fusedName = `fused${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const [held, fused] = await backend.read(t.f32(name), t.f32(fusedName));
      const far = Array.from(held).flatMap((want, i) => {
        const row = Math.floor(i / Math.max(width, 1));
        if (width > 0 && row % R >= (counts[Math.floor(row / R)] as number)) return [];
        const value = fused[i] as number;
        return Math.abs(value - want) <= 2e-5 + 4e-5 * Math.abs(want) ? [] : [`${name}[${i}]: ${value}, ${want}`];
      });
      expect(far.slice(0, 5)).toEqual([]);
      expect(held.some((value) => Math.abs(value) > 0.01)).toBe(true);
    }
  });
});
