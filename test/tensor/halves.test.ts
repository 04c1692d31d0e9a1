/** Weights in two bytes a number: widened exactly on every backend, so operations give the bits that they give of float32. */
import { describe, expect, test } from 'vitest';
import { CASES, differences, type ParityCase, runCase } from '../../src/parity/cases/all';
import type { Tensor } from '../../src/tensor/backend';
import { type HalfType, widened } from '../../src/tensor/halves';
import { ROW_FIELDS } from '../../src/tensor/layout';
import { sampled } from '../support/nightly';
import { BACKENDS, backendFor } from './backends';

const HALVED = CASES.filter(({ tensors }) => tensors.halves !== undefined);

/** The same numbers as float32. */
function inFloats(parityCase: ParityCase): ParityCase {
  const { type, members, data } = parityCase.tensors.halves ?? expect.fail();
  const halves = { type: 'f32', members, data: widened(data as Uint16Array, type as HalfType) } as const;
  return { ...parityCase, tensors: { ...parityCase.tensors, halves } };
}

describe.each(BACKENDS)('$name', (one) => {
  const backend = backendFor(one);

  test.each(sampled(HALVED, 2))('$name: the same bits as of float32', async (parityCase) => {
    const exact = { ...parityCase, outputs: parityCase.outputs.map((output) => ({ ...output, atol: 0, rtol: 0 })) };
    const expected = await runCase(backend(), inFloats(parityCase));
    expect(differences(exact, await runCase(backend(), parityCase), expected).slice(0, 10)).toEqual([]);
  });

  test.each(['bf16', 'f16'] as const)('all numbers of %s are read, exactly', async (type) => {
    const [V, C] = [2 ** 14, 4];
    const all = Uint16Array.from({ length: V * C }, (_, bits) => bits);
    const u32 = (values: Uint32Array): Tensor<'u32'> => {
      const tensor = backend().tensor('words', 'u32', 1, values.length);
      backend().write(tensor, values);
      return tensor;
    };
    const table = u32(
      Uint32Array.from({ length: V * ROW_FIELDS }, (_, i) => (i % ROW_FIELDS === 0 ? i / ROW_FIELDS : 0)),
    );
    const rows = { table, count: u32(Uint32Array.of(V)), capacity: V };
    const tensor = backend().tensor('tokens', type, 1, V * C);
    expect(backend().allocatedBytes % 4).toBe(0);
    backend().write(tensor, all);
    const out = backend().tensor('out', 'f32', 1, V * C);
    const program = backend().record('all numbers', 1, (ops) =>
      ops.embed(out, rows, { tensor, offset: 0, shape: [V, C] }, null),
    );
    await backend().prepare();
    backend().run(program);
    const [got, kept] = await backend().read(out, tensor);
    expect(kept).toEqual(all);
    const wrong = widened(all, type).findIndex(
      (value, bits) => got[bits] !== value && !(Number.isNaN(got[bits]) && Number.isNaN(value)),
    );
    expect(wrong).toBe(-1);
  });
});
