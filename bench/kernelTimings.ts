/**
 * Times the WebGPU kernels on whatever GPU it is given, in Node or in a page: the matrix products, then one training
 * step as a whole and by operation. A program repeats an operation so often that it takes about `seconds`/4; a row is the
 * best of several runs, waiting for the result each time.
 */
import { acquireGpu } from '../src/gpu/acquire';
import type { Operations, Tensor } from '../src/tensor/backend';
import { GRADIENT_CHUNK } from '../src/tensor/layout';
import { createWebGpuBackend, type KernelVariant, type WebGpuBackend } from '../src/tensor/webgpu/backend';
import { benchmarkRows, filled, operationsApart, ROWS, stepFlops, TRAJECTORIES, trainingStep } from './trainingStep';

export interface TimingOptions {
  readonly variant?: KernelVariant;
  readonly members: number;
  readonly seconds: number;
  readonly parts: readonly ('products' | 'step' | 'operations')[];
}

export async function timeKernels(
  gpu: GPU | undefined,
  { variant, members, seconds, parts }: TimingOptions,
  print: (line: string) => void,
): Promise<void> {
  const acquired = await acquireGpu(gpu);
  const backend = createWebGpuBackend(variant ? { ...acquired, variant } : acquired);
  const rows = benchmarkRows(backend);
  const probe = backend.tensor('probe', 'f32', 1, 4);
  const clock = new Stopwatch(backend, probe, members, seconds);
  print(`${backend.description}, ${backend.variant} kernels, ${members} members, ${ROWS} rows each`);
  const report = (name: string, time: number, flops: number): void => {
    const rate = flops === 0 ? '' : `${(flops / time / 1e9).toFixed(2)} GFLOP/s`;
    print(`${name.padEnd(48)} ${(time * 1e3).toFixed(3).padStart(10)} ms   ${rate}`);
  };

  if (parts.includes('products')) {
    for (const [K, N] of [
      [64, 64],
      [64, 256],
      [256, 64],
      [64, 48],
    ] as const) {
      const [x, out] = [filled(backend, 'x', members, ROWS * K), filled(backend, 'out', members, ROWS * N)];
      const dx = filled(backend, 'dx', members, ROWS * K);
      const weight = { tensor: filled(backend, 'weight', members, K * N), offset: 0, shape: [K, N] };
      const partials = backend.tensor('partials', 'f32', members, (TRAJECTORIES / GRADIENT_CHUNK) * K * N);
      const flops = members * 2 * ROWS * K * N;
      for (const inputActivation of K === 256 ? (['none', 'gelu'] as const) : (['none'] as const)) {
        const shape = `${ROWS}×${K}·${K}×${N}${inputActivation === 'none' ? '' : `, ${inputActivation}`}`;
        const options = { inputActivation };
        const time = (record: (operations: Operations) => void) => clock.time(record);
        report(`linear ${shape}`, await time((ops) => ops.linear(out, x, rows, weight, null, options)), flops);
        report(
          `linearBackwardInput ${shape}`,
          await time((ops) => ops.linearBackwardInput(dx, out, x, rows, weight, options)),
          flops,
        );
        report(
          `linearBackwardWeight ${shape}`,
          await time((ops) => ops.linearBackwardWeight(partials, x, out, rows, weight, null, options)),
          flops,
        );
      }
    }
  }
  const step = trainingStep(backend, members, rows);
  if (parts.includes('operations')) {
    const totals = new Map<string, { calls: number; time: number }>();
    for (const { name, record } of operationsApart(step)) {
      const total = totals.get(name) ?? { calls: 0, time: 0 };
      totals.set(name, { calls: total.calls + 1, time: total.time + (await clock.time(record)) });
    }
    for (const [name, { calls, time }] of totals) report(`${name} ×${calls}`, time, 0);
  }
  if (parts.includes('step')) report('one training step', await clock.time(step), stepFlops(members));
  backend.dispose();
}

class Stopwatch {
  readonly #backend: WebGpuBackend;
  readonly #probe: Tensor;
  readonly #members: number;
  readonly #seconds: number;

  constructor(backend: WebGpuBackend, probe: Tensor, members: number, seconds: number) {
    this.#backend = backend;
    this.#probe = probe;
    this.#members = members;
    this.#seconds = seconds;
  }

  /** Seconds of one operation (or list of them). */
  async time(record: (operations: Operations) => void): Promise<number> {
    const once = this.#backend.record('bench', this.#members, record);
    await this.#backend.prepare();
    const run = async (repeats: number): Promise<number> => {
      const start = performance.now();
      this.#backend.run(...Array.from({ length: repeats }, () => once));
      await this.#backend.read(this.#probe);
      return (performance.now() - start) / 1000;
    };
    await run(1);
    const repeats = Math.max(1, Math.min(1000, Math.round(this.#seconds / 4 / (await run(1)))));
    let best = Number.POSITIVE_INFINITY;
    const end = performance.now() + this.#seconds * 1000;
    for (let i = 0; i < 3 || performance.now() < end; i++) best = Math.min(best, (await run(repeats)) / repeats);
    return best;
  }
}
