/**
 * Properties of the CPU backend that parity.test.ts cannot see: its memory (zero-filled, growing, limited, addressed
 * beyond 2 GiB), its errors, and that a row's bits do not depend on its place.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Backend, Operations } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { bytesAlike, canShare, createShared, LinearMemory } from '../../src/tensor/cpu/memory';
import { ROW_FIELDS } from '../../src/tensor/layout';
import { codeOf } from '../support/codeOf';
import { emptyTensor, f32Tensor, ran, rowsTensor } from '../support/tensors';

const MEGABYTE = 2 ** 20;
let backend: Backend;
afterEach(() => {
  backend.dispose();
});

/** Floats for which every operation rounds. */
const noise = (length: number, seed = 1): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.sin((i + 1) * 12.9898 * seed) * 1.7);

describe('Memory of the CPU backend', () => {
  test('is zero, also after it has grown past tensors that hold values', async () => {
    backend = await createCpuBackend();
    for (let i = 0; i < 12; i++) {
      const tensor = backend.tensor(`tensor ${i}`, 'f32', 3, 100_003);
      const [before] = await backend.read(tensor);
      expect(before.every((value) => value === 0)).toBe(true);
      backend.write(tensor, noise(3 * 100_003, i + 1));
    }
    expect(backend.allocatedBytes).toBe(12 * 3 * 100_003 * 4);
  });

  test('keeps what tensors hold when it grows', async () => {
    backend = await createCpuBackend();
    const tensor = backend.tensor('first', 'f32', 2, 1001);
    backend.write(tensor, noise(2002));
    backend.tensor('large', 'u32', 1, 32 * MEGABYTE);
    const [values] = await backend.read(tensor);
    expect(values).toEqual(noise(2002));
  });

  test('gives copies, and takes values at an offset, float64 too', async () => {
    backend = await createCpuBackend();
    const tensor = backend.tensor('tensor', 'f32', 1, 8);
    const [before] = await backend.read(tensor);
    backend.write(tensor, Float64Array.of(0.1, 0.2), 5);
    const [after] = await backend.read(tensor);
    expect([...before]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect([...after]).toEqual([0, 0, 0, 0, 0, Math.fround(0.1), Math.fround(0.2), 0]);
  });

  test('can be used beyond 2 GiB', async () => {
    backend = await createCpuBackend();
    backend.tensor('untouched', 'f32', 1, 2 ** 28);
    backend.tensor('untouched too', 'f32', 1, 2 ** 28);
    const twice = Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 2 : 0));
    const tensor = f32Tensor(backend, twice);
    const [x, out, rows] = [
      f32Tensor(backend, noise(8)),
      emptyTensor(backend, 8),
      rowsTensor(backend, new Uint32Array(8)),
    ];
    const double = (ops: Operations): void => ops.linear(out, x, rows, { tensor, offset: 0, shape: [4, 4] }, null);
    const [doubled] = await ran(backend, 1, double, [out]);
    expect([...doubled]).toEqual([...noise(8)].map((value) => 2 * value));
  });
});

describe('Errors of the CPU backend', () => {
  test('say when memory is used up, and leave what is there usable', async () => {
    backend = await createCpuBackend({ maxBytes: 8 * MEGABYTE });
    const first = backend.tensor('first', 'f32', 1, MEGABYTE);
    expect(codeOf(() => backend.tensor('second', 'f32', 1, MEGABYTE))).toBe('out-of-memory');
    expect(backend.allocatedBytes).toBe(4 * MEGABYTE);
    backend.write(first, Float32Array.of(1));
    expect((await backend.read(first))[0][0]).toBe(1);
  });

  test('say when one tensor is too large', async () => {
    backend = await createCpuBackend();
    expect(codeOf(() => backend.tensor('huge', 'f32', 1, 2 ** 30))).toBe('limits');
    expect(backend.limits.memoryBudgetBytes).toBe(2 ** 30);
  });

  test('are thrown for strange sizes, writes past the end, foreign tensors and use after dispose', async () => {
    backend = await createCpuBackend();
    const other = await createCpuBackend();
    const [mine, foreign] = [backend.tensor('mine', 'f32', 1, 4), other.tensor('foreign', 'f32', 1, 4)];
    const program = other.record('fill', 1, (ops) => ops.fill(foreign, 1));
    expect(codeOf(() => backend.tensor('fraction', 'f32', 1, 1.5))).toBe('internal');
    expect(codeOf(() => backend.write(mine, new Float32Array(3), 2))).toBe('internal');
    expect(codeOf(() => backend.write(foreign, new Float32Array(4)))).toBe('internal');
    expect(codeOf(() => backend.record('copy', 1, (ops) => ops.copy(mine, foreign)))).toBe('internal');
    expect(codeOf(() => backend.run(program))).toBe('internal');
    other.dispose();
    expect(other.allocatedBytes).toBe(0);
    expect(codeOf(() => other.tensor('late', 'f32', 1, 4))).toBe('internal');
    expect(codeOf(() => other.run(program))).toBe('internal');
  });
});

describe('A memory that backends share', () => {
  test('holds once what they hold alike, and apart what each has of its own', async () => {
    const values = Uint16Array.from({ length: 2 ** 20 }, (_, i) => i & 0x3fff);
    const shared = createShared(bytesAlike([values.byteLength, 64])) ?? expect.fail();
    const backends = [await createCpuBackend({ shared }), await createCpuBackend({ shared, kind: 'cpu-fused' })];
    backend = backends[0] as Backend;
    const held = backends.map((one) => {
      const alike = [
        one.tensor('weights', 'bf16', 1, values.length, true),
        one.tensor('few', 'f32', 1, 16, true),
      ] as const;
      return { one, alike, own: one.tensor('own', 'f32', 1, 2 ** 20) };
    });
    held[0]?.one.write(held[0].alike[0], values);
    held[0]?.one.write(held[0].own, new Float32Array(2 ** 20).fill(7));
    const [weights, few, own] = await (held[1] as (typeof held)[0]).one.read(...held[1]!.alike, held[1]!.own);
    expect(weights).toEqual(values);
    expect([few.every((value) => value === 0), own.every((value) => value === 0)]).toEqual([true, true]);
    // 2 MiB alike and 4 MiB of each, by steps of 4 MiB.
    expect(shared.memory.buffer.byteLength).toBeLessThan(15 * MEGABYTE);
    expect(codeOf(() => held[1]?.one.tensor('more', 'f32', 1, 16, true))).toBe('out-of-memory');
    held[1]?.one.dispose();
  });

  test('hands out no range twice after one that there was no room for', () => {
    const shared = createShared(16) ?? expect.fail();
    const [one, other] = [0, 1].map(() => new LinearMemory(shared.memory, 0, 2 ** 32, shared.bytes)) as [
      LinearMemory,
      LinearMemory,
    ];
    const taken = one.reserve(64, 'first');
    expect(codeOf(() => other.reserve(2 ** 32 - 64, 'all of a counter'))).toBe('out-of-memory');
    expect(other.reserve(64, 'second')).toBe(taken + 64);
  });

  test('is none on a page that its server does not isolate', () => {
    vi.stubGlobal('crossOriginIsolated', false);
    expect([canShare(), createShared(16)]).toEqual([false, null]);
    vi.unstubAllGlobals();
    expect(canShare()).toBe(true);
  });
});

describe('Bits of the CPU backend', () => {
  test.each(['cpu', 'cpu-fused'] as const)('of a row do not depend on where the row lies, %s', async (kind) => {
    backend = await createCpuBackend({ kind });
    const [K, N, capacity] = [12, 20, 23];
    const parameters = f32Tensor(backend, noise(K * N + N, 3));
    const row = [...noise(K)];
    const x = f32Tensor(backend, Array<number[]>(capacity).fill(row).flat());
    const out = emptyTensor(backend, capacity * N);
    const rows = rowsTensor(backend, new Uint32Array(capacity * ROW_FIELDS));
    const weight = { tensor: parameters, offset: 0, shape: [K, N] };
    const bias = { tensor: parameters, offset: K * N, shape: [N] };
    const linear = (ops: Operations): void => ops.linear(out, x, rows, weight, bias, { inputActivation: 'gelu' });
    const [result] = await ran(backend, 1, linear, [out]);
    expect(result[0]).not.toBe(0);
    for (let r = 1; r < capacity; r++) expect(result.slice(r * N, (r + 1) * N)).toEqual(result.slice(0, N));
  });
});
