/** Parameters larger than a device can bind are bound in part, and trained to the same bits. */
import { expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import { sharedDevice } from '../support/gpu';
import { metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') ?? expect.fail()).experiment;
/** Deep for its width: two members' parameters of 0.4 MB each are larger than all that is not a parameter. */
const deep: Experiment = {
  ...tiny,
  seeds: 1,
  policy: { ...tiny.policy, layers: 8, width: 32 },
  batch: { groups: 1, groupSize: 4 },
  evaluation: { ...tiny.evaluation, every: 0 },
  arms: tiny.arms.slice(0, 2),
  diagnosticsEvery: 1,
};

async function trained(maxBindingBytes?: number) {
  const device = await sharedDevice();
  const backend = createWebGpuBackend({ device, software: true, ...(maxBindingBytes && { maxBindingBytes }) });
  const trainer = new Trainer(backend, deep);
  await trainer.prepare();
  const metrics = await metricsOf(trainer, 2);
  const { tensors } = await trainer.snapshot();
  trainer.dispose();
  return { metrics, tensors };
}

test('two updates, of members and of parts of one', async () => {
  const whole = await trained();
  for (const kib of [512, 200]) expect(await trained(kib * 2 ** 10), `${kib} KiB`).toEqual(whole);
  await expect(trained(2 ** 16)).rejects.toThrow(
    /at a time; this device is given .* of a language model train adapters/,
  );
});
