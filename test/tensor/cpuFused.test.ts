/**
 * The two variants of the CPU backend: each rounds as its name says, each gives the same bits on any number of Workers, and the
 * bits of both are those of every version and machine so far. Operation by operation both are in parity.test.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Digest } from '../../src/experiment/conclude/result';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { CPU_NAMES, type CpuKind, cpuKindOf, cpuOn } from '../../src/foundation/cpuVariants';
import type { Backend, Operations, Tensor } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { fuses } from '../../src/tensor/cpu/fuses';
import { evenHeads } from '../../src/tensor/heads';
import { TrainerPool } from '../../src/train/pool/pool';
import { Trainer } from '../../src/train/population/trainer';
import type { Training } from '../../src/train/population/training';
import { startHere } from '../support/poolHere';
import { emptyTensor, f32Tensor, ran, rowsTensor } from '../support/tensors';
import { metricsOf } from '../support/trained';

const VARIANTS: readonly CpuKind[] = ['cpu', 'cpu-fused'];
const tiny = parseExperiment({ ...findPreset('gridworld-tiny')?.experiment });

/** Digest of the parameters after three updates. */
async function trained(training: Training): Promise<string> {
  await training.prepare();
  await metricsOf(training, 3);
  const digest = new Digest();
  digest.add(Float32Array.from((await training.snapshot()).tensors.parameters));
  training.dispose();
  return digest.text;
}

/** Tensor of numbers between −1 and 1 that look drawn. */
const filled = (backend: Backend, length: number): Tensor<'f32'> =>
  f32Tensor(
    backend,
    Array.from({ length }, (_, i) => ((i * 37) % 101) / 50.5 - 1),
  );

/** Digest of tensors; the backend is disposed of. */
async function digestOf(backend: Backend, tensors: readonly Tensor<'f32'>[]): Promise<string> {
  const digest = new Digest();
  for (const values of await backend.read(...tensors)) digest.add(Float32Array.from(values));
  backend.dispose();
  return digest.text;
}

/** Digest of a linear map and of its gradients, with an exponential in them: 23 rows, so that every tile is met. */
async function multiplied(kind: CpuKind): Promise<string> {
  const backend = await createCpuBackend({ kind });
  const [K, N, capacity] = [12, 20, 23];
  const [x, dOut, parameters] = [
    filled(backend, capacity * K),
    filled(backend, capacity * N),
    filled(backend, K * N + N),
  ];
  const weight = { tensor: parameters, offset: 0, shape: [K, N] };
  const bias = { tensor: parameters, offset: K * N, shape: [N] };
  const results = [capacity * N, capacity * K, K * N + N].map((length) => emptyTensor(backend, length));
  const [out, dx, partials] = results as [Tensor<'f32'>, Tensor<'f32'>, Tensor<'f32'>];
  const rows = rowsTensor(backend, new Uint32Array(4 * capacity));
  const gelu = { inputActivation: 'gelu' } as const;
  backend.run(
    backend.record('linear', 1, (ops) => {
      ops.linear(out, x, rows, weight, bias, gelu);
      ops.linearBackwardInput(dx, dOut, x, rows, weight, gelu);
      ops.linearBackwardWeight(partials, x, dOut, rows, weight, bias, gelu);
    }),
  );
  return digestOf(backend, results);
}

/**
 * Digest of attention and its gradient over trajectories of many lengths, whose rows are computed in fours and alone; the
 * widths of a head leave every tile a rest.
 */
async function attended(kind: CpuKind, width: number): Promise<string> {
  const backend = await createCpuBackend({ kind });
  const heads = evenHeads(width, 2);
  const lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 27];
  const described = lengths.flatMap((length, i) => {
    const first = lengths.slice(0, i).reduce((sum, other) => sum + other, 0);
    return Array.from({ length }, (_, position) => [0, position, first, 0]);
  });
  const capacity = described.length;
  const [qkv, dOut] = [filled(backend, 3 * capacity * width), filled(backend, capacity * width)];
  const made = (columns: number) => emptyTensor(backend, capacity * columns);
  const [out, logSumExp, dqkv] = [made(width), made(heads.queries), made(3 * width)];
  const [cache, again, logSumExpAgain] = [made(2 * width), made(width), made(heads.queries)];
  const rows = rowsTensor(backend, described.flat());
  backend.run(
    backend.record('attention', 1, (ops) => {
      ops.attention(out, logSumExp, qkv, null, rows, heads);
      ops.attentionBackward(dqkv, dOut, out, logSumExp, qkv, rows, heads);
      ops.storeKeyValue(cache, qkv, rows, heads);
      ops.attention(again, logSumExpAgain, qkv, cache, rows, heads);
    }),
  );
  const [straight, cached] = await backend.read(out, again);
  expect(cached).toEqual(straight);
  return digestOf(backend, [out, logSumExp, dqkv]);
}

test('is found where the processor has it', () => {
  // On Linux an x64 processor says so; arm64 always has it.
  const told = process.platform === 'linux' && process.arch === 'x64' ? readFileSync('/proc/cpuinfo', 'utf8') : ' fma ';
  expect(fuses()).toBe(/ fma /.test(told));
});

test('has a name of its own in results, with any number of Workers', () => {
  for (const kind of VARIANTS) {
    expect(cpuKindOf(CPU_NAMES[kind])).toBe(kind);
    expect(cpuKindOf(cpuOn(kind, '2 workers'))).toBe(kind);
  }
  expect(cpuKindOf('SwiftShader (software)')).toBeNull();
});

describe.each([
  {
    kind: 'cpu',
    rounded: 0,
    bits: 'b42129f8fe735cd6',
    attention: ['2f0107e9490bf20f', '32a526a822b8ec06', 'ebd4638ed10a2740'],
  },
  {
    kind: 'cpu-fused',
    rounded: 2 ** -24,
    bits: 'd44cb5f9f8ef1a47',
    attention: ['e638ba02138275a4', '7c447b644ad277ea', '3ac0d3fd87775e0b'],
  },
] as const)('$kind', ({ kind, rounded, bits, attention }) => {
  test('rounds a product and its sum as its name says', async () => {
    const backend = await createCpuBackend({ kind });
    // −(1 + 2⁻¹¹) + (1 + 2⁻¹²)², of which 2⁻²⁴ is lost where the square is rounded.
    const [K, N] = [4, 4];
    const near = 1 + 2 ** -12;
    const [x, out] = [f32Tensor(backend, [-1 - 2 ** -11, near, 0, 0]), emptyTensor(backend, N)];
    const tensor = f32Tensor(backend, [...Array(4).fill(1), ...Array(4).fill(near), ...Array(8).fill(0)]);
    const rows = rowsTensor(backend, [0, 0, 0, 0]);
    const linear = (ops: Operations): void => ops.linear(out, x, rows, { tensor, offset: 0, shape: [K, N] }, null);
    const [found] = await ran(backend, 1, linear, [out]);
    expect([...found]).toEqual(Array(N).fill(rounded));
    backend.dispose();
  });

  test('gives the bits it always gave', async () => {
    expect(await multiplied(kind)).toBe(bits);
    expect([await attended(kind, 8), await attended(kind, 24), await attended(kind, 64)]).toEqual(attention);
  });

  test('gives on two Workers the bits of one thread', async () => {
    const alone = await trained(new Trainer(await createCpuBackend({ kind }), tiny));
    expect(await trained(new TrainerPool(tiny, { backend: kind, workers: 2, start: startHere }))).toBe(alone);
  });
});
