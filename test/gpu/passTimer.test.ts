/** Passes timed on the device: through a backend, and added up by the benchmark's meter. */
import { describe, expect, test } from 'vitest';
import { PassTimer } from '../../src/gpu/passTimer';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { Meter } from '../../src/train/bench/meter';
import { sharedDevice } from '../support/gpu';

async function timed() {
  const device = await sharedDevice();
  const timer = PassTimer.create(device);
  if (timer === null) throw new Error('This device has no timestamps.');
  return { backend: createWebGpuBackend({ device, software: true, timer }), timer };
}

describe('PassTimer', () => {
  test('one time a program, added up by label, gone once collected', async () => {
    const { backend, timer } = await timed();
    const [source, target] = [backend.tensor('a', 'f32', 1, 2 ** 16), backend.tensor('b', 'f32', 1, 2 ** 16)];
    const copy = backend.record('copying', 1, (ops) => ops.copy(target, source));
    const fill = backend.record('filling', 1, (ops) => ops.fill(source, 7));
    await backend.prepare();
    backend.run(fill, copy);
    backend.run(...Array.from({ length: 50 }, () => copy));
    const seconds = await timer.collect();
    expect([...seconds.keys()]).toEqual(['filling', 'copying']);
    expect(seconds.get('copying')).toBeGreaterThan(0);
    expect(seconds.get('copying')).toBeLessThan(10);
    expect(await timer.collect()).toEqual(new Map());
    const [values] = await backend.read(target);
    expect(values.every((value) => value === 7)).toBe(true);
    timer.destroy();
    backend.dispose();
  });

  test('a meter cuts programs into their parts and charges each, with the device’s clock and without', async () => {
    for (const clock of ['timestamp queries', 'parts run alone'] as const) {
      const { backend, timer } = await timed();
      const meter = new Meter(backend, clock === 'timestamp queries' ? timer : null);
      expect(meter.timing).toBe(clock);
      const [x, out] = [meter.tensor('microbatch', 'f32', 1, 64 * 64), meter.tensor('out', 'f32', 1, 64 * 64)];
      const norm = meter.tensor('norm', 'f32', 1, 1);
      const scratch = meter.tensor('scratch', 'f32', 1, 4);
      const weight = { tensor: x, offset: 0, shape: [64, 64] };
      const count = meter.tensor('count', 'u32', 1, 1);
      const rows = { table: meter.tensor('rows', 'u32', 1, 4 * 64), count, capacity: 64 };
      const program = meter.record('step', 1, (ops) => {
        ops.linear(out, x, rows, weight, null);
        ops.gradientNorm(norm, scratch, x, null);
      });
      await meter.prepare();
      meter.reset();
      meter.write(count, Uint32Array.of(64));
      meter.write(x, new Float32Array(64 * 64).fill(0.5));
      meter.run(program);
      const [values, length] = await meter.read(out, norm);
      await meter.settle();
      expect(values[0]).toBe(16);
      expect(length[0]).toBe(32);
      expect(meter.rollout).toBeGreaterThanOrEqual(0);
      const parts = ['environment', 'pack and upload', 'forward', 'optimiser', 'readback', 'rest'] as const;
      expect(new Set(meter.seconds.keys())).toEqual(new Set(parts));
      for (const part of parts) expect(meter.seconds.get(part), part).toBeGreaterThanOrEqual(0);
      timer.destroy();
      backend.dispose();
    }
  });
});
