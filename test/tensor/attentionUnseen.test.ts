/**
 * Attention beside rows that are not numbers: whatever stands in another trajectory, or in a row of its own trajectory that a
 * row does not see, moves no bit of the row's result or gradient. Rows computed together are of one trajectory here, and of several.
 */
import { describe, expect, test } from 'vitest';
import { allocate, f32, normalRows, randomFor, type TensorSpec, unwritten } from '../../src/parity/cases/case';
import { packRows } from '../../src/parity/cases/rows';
import { evenHeads } from '../../src/tensor/heads';
import { BACKENDS, backendFor } from './backends';

const HEADS = 2;
const WIDTH = 8;
/** Lengths of four trajectories: rows 0 … 4, 5 … 8, 9 … 13 and 14 … 18. */
const LENGTHS = [5, 4, 5, 5];
const SOUND = { first: [0, 1, 2, 3, 4], third: [9, 10, 11, 12], fourth: [15, 16, 17, 18] };

const rows = packRows(randomFor('rows'), [LENGTHS], { vocabulary: 16 });
const random = randomFor('attention beside infinities');
const qkv = normalRows(random, rows.counts, rows.capacity, 3 * WIDTH);
const dOut = normalRows(random, rows.counts, rows.capacity, WIDTH);

/** Copy in which the elements `from` … `to` of these rows are infinite. */
function broken({ data }: TensorSpec, columns: number, places: readonly [row: number, from: number, to: number][]) {
  const copy = Float32Array.from(data);
  for (const [row, from, to] of places) copy.fill(Number.POSITIVE_INFINITY, row * columns + from, row * columns + to);
  return f32(1, copy);
}

const whole = (...at: number[]) => at.map((row): [number, number, number] => [row, 0, 3 * WIDTH]);
const arriving = (...at: number[]) => at.map((row): [number, number, number] => [row, 0, WIDTH]);

/** The whole second trajectory. */
const elsewhere = { qkv: broken(qkv, 3 * WIDTH, whole(5, 6, 7, 8)), dOut: broken(dOut, WIDTH, arriving(5, 6, 7, 8)) };
/** All that the last row of the third trajectory has, and the query and the gradient of the fourth's first row. */
const within = {
  qkv: broken(qkv, 3 * WIDTH, [...whole(13), ...arriving(14)]),
  dOut: broken(dOut, WIDTH, arriving(13, 14)),
};

describe.each(BACKENDS)('$name', (one) => {
  const backend = backendFor(one);

  async function attended(given: Record<'qkv' | 'dOut', TensorSpec>) {
    const t = allocate(backend(), {
      ...rows.tensors,
      ...given,
      out: unwritten(1, rows.capacity * WIDTH),
      logSumExp: unwritten(1, rows.capacity * HEADS),
      dqkv: unwritten(1, rows.capacity * 3 * WIDTH),
    });
    const [out, logSumExp, dqkv, own] = [t.f32('out'), t.f32('logSumExp'), t.f32('dqkv'), t.f32('qkv')];
    const program = backend().record('attention', 1, (ops) => {
      ops.attention(out, logSumExp, own, null, t.rows(), evenHeads(WIDTH, HEADS));
      ops.attentionBackward(dqkv, t.f32('dOut'), out, logSumExp, own, t.sequences(), evenHeads(WIDTH, HEADS));
    });
    await backend().prepare();
    backend().run(program);
    const [values = [], sums = [], gradient = []] = await backend().read(out, logSumExp, dqkv);
    const of = (data: ArrayLike<number>, columns: number, row: number, from = 0, to = columns) =>
      Array.from(data).slice(row * columns + from, row * columns + to);
    const { first, third, fourth } = SOUND;
    return {
      results: [...first, ...third, ...fourth].map((row) => [...of(values, WIDTH, row), ...of(sums, HEADS, row)]),
      byQueries: [...first, ...third, ...fourth].map((row) => of(gradient, 3 * WIDTH, row, 0, WIDTH)),
      // The third trajectory's last row sees its keys, so their gradient is not finite, as it should be.
      byKeysAndValues: [...first, ...fourth].map((row) => of(gradient, 3 * WIDTH, row, WIDTH)),
    };
  }

  test('attention adds nothing of another trajectory, though it is infinite', async () => {
    const expected = await attended({ qkv, dOut });
    expect(Object.values(expected).flat(2).every(Number.isFinite)).toBe(true);
    expect(await attended(elsewhere)).toEqual(expected);
  });

  test('nor of a row of its own trajectory that is not seen', async () => {
    expect(await attended(within)).toEqual(await attended({ qkv, dOut }));
  });
});
