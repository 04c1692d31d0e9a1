/** What the reference promises besides its operations: copies, order, untouched rows, poison. */
import { describe, expect, test } from 'vitest';
import { ReferenceBackend } from '../../../src/tensor/reference/backend';

describe('ReferenceBackend', () => {
  test('reads copies in float64 and writes at an offset of the whole tensor', async () => {
    const backend = new ReferenceBackend();
    const x = backend.tensor('x', 'f32', 2, 3);
    const i = backend.tensor('i', 'u32', 1, 2);
    backend.write(x, Float64Array.of(0.1, 1 / 3), 2);
    backend.write(i, Uint32Array.of(0xffffffff, 5));
    const [values, words] = await backend.read(x, i);
    expect(Array.from(values)).toEqual([0, 0, 0.1, 1 / 3, 0, 0]);
    expect(Array.from(words)).toEqual([0xffffffff, 5]);
    values[0] = 9;
    expect((await backend.read(x))[0][0]).toBe(0);
    expect(backend.allocatedBytes).toBe(6 * 8 + 2 * 4);
  });

  test('refuses a write beyond the end', () => {
    const backend = new ReferenceBackend();
    const x = backend.tensor('x', 'f32', 1, 3);
    expect(() => backend.write(x, Float32Array.of(1, 2), 2)).toThrow(/"x"/);
  });

  test('fills floats with NaN when it poisons, and integers with 0', async () => {
    const backend = new ReferenceBackend({ poison: true });
    const [x, i] = await backend.read(backend.tensor('x', 'f32', 1, 2), backend.tensor('i', 'u32', 1, 2));
    expect(Array.from(x)).toEqual([Number.NaN, Number.NaN]);
    expect(Array.from(i)).toEqual([0, 0]);
  });

  test('runs a program on whatever the tensors then hold, as often as asked', async () => {
    const backend = new ReferenceBackend();
    const [a, b] = [backend.tensor('a', 'f32', 1, 1), backend.tensor('b', 'f32', 1, 1)];
    const copy = backend.record('copy', 1, (ops) => ops.copy(b, a));
    const fill = backend.record('fill', 1, (ops) => ops.fill(a, 7));
    backend.write(a, Float32Array.of(3));
    const before = await backend.read(b);
    backend.run(copy);
    const first = await backend.read(b);
    backend.run(fill, copy);
    const second = await backend.read(b);
    expect([before, first, second].map(([values]) => values[0])).toEqual([0, 3, 7]);
    expect([copy.operations, fill.operations]).toEqual([1, 1]);
  });

  test('leaves rows beyond the count as they were', async () => {
    const backend = new ReferenceBackend();
    const rows = {
      table: backend.tensor('table', 'u32', 2, 3 * 4),
      count: backend.tensor('count', 'u32', 2, 1),
      capacity: 3,
    };
    backend.write(rows.count, Uint32Array.of(1, 0));
    const weight = { tensor: backend.tensor('weight', 'f32', 1, 16), offset: 0, shape: [4, 4] };
    const out = backend.tensor('out', 'f32', 2, 12);
    const program = backend.record('linear', 2, (ops) => {
      ops.fill(out, 5);
      ops.linear(out, backend.tensor('x', 'f32', 2, 12), rows, weight, null);
    });
    backend.run(program);
    const [values] = await backend.read(out);
    expect(Array.from(values)).toEqual([0, 0, 0, 0, ...new Array<number>(20).fill(5)]);
  });
});
