/** The reason why there is no GPU is reported, whether one was asked for or not. */
import { expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { chooseNodeBackend } from '../../src/node/backend';
import { fuses } from '../../src/tensor/cpu/fuses';

const pool = {
  workers: 1,
  start() {
    throw new Error('One worker is none.');
  },
};
const broken = async (): Promise<never> => {
  throw new Error('libvulkan.so.1: cannot open shared object file');
};

test('without WebGPU the CPU says why it was taken', async () => {
  const chosen = await chooseNodeBackend('auto', pool, undefined, broken);
  const kind = fuses() ? 'cpu-fused' : 'cpu';
  expect(chosen).toMatchObject({ kind, reason: expect.stringMatching(/^the CPU, because .*libvulkan\.so\.1/) });
  chosen.release();
});

test('the CPU is the plain one where its digits are needed, or where it is named', async () => {
  for (const choice of ['auto-plain', 'cpu'] as const) {
    const chosen = await chooseNodeBackend(choice, pool, undefined, broken);
    expect(chosen).toMatchObject({ kind: 'cpu', adapter: 'CPU (WebAssembly SIMD)' });
    chosen.release();
  }
});

test('WebGPU that was asked for and cannot be had is an error with its reason and advice', async () => {
  const failed = chooseNodeBackend('webgpu', pool, undefined, broken);
  await expect(failed).rejects.toBeInstanceOf(LabError);
  await expect(failed).rejects.toMatchObject({
    code: 'no-adapter',
    what: expect.stringContaining('libvulkan.so.1'),
    advice: expect.stringContaining('--backend cpu'),
  });
});
