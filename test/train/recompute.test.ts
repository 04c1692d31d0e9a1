/** A device too small for all activations computes them a second time, to the same bits. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findModel } from '../../src/experiment/models';
import { findPreset } from '../../src/experiment/presets/presets';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { readPolicies } from '../../src/train/policies/files';
import { Trainer } from '../../src/train/population/trainer';
import { type FileWeights, weightsOf } from '../../src/train/population/training';
import { metricsOf } from '../support/trained';

const preset = (id: string): Experiment => findPreset(id)?.experiment ?? expect.fail(id);
const listener = preset('listener');
const small = { batch: { groups: 2, groupSize: 4 }, diagnosticsEvery: 1 };
const CASES: readonly (readonly [string, Experiment])[] = [
  [
    'a policy from noise',
    { ...preset('gridworld-tiny'), ...small, policy: { ...preset('gridworld-tiny').policy, layers: 3 } },
  ],
  [
    'adapters of a language model',
    {
      ...listener,
      ...small,
      policy: { ...listener.policy, adapterRank: 4 },
      arms: listener.arms.slice(0, 2),
      evaluation: { ...listener.evaluation, every: 0 },
    },
  ],
];

async function weightsFor(experiment: Experiment): Promise<FileWeights> {
  const file = findModel(experiment.policy.model)?.file;
  if (file === undefined) return new Map();
  return weightsOf(await readPolicies([new Blob([new Uint8Array(readFileSync(`public/${file}`))])], experiment));
}

describe.each(CASES)('%s', (_, experiment) => {
  const trained = async (bytes: number | null) => {
    const backend = await createCpuBackend();
    if (bytes !== null) Object.assign(backend, { limits: { ...backend.limits, memoryBudgetBytes: bytes } });
    const trainer = new Trainer(backend, experiment, { weights: await weightsFor(experiment) });
    await trainer.prepare();
    const metrics = await metricsOf(trainer, 2);
    const inspections = await trainer.inspect({ seed: 0, group: 0, trajectory: 1 });
    const { tensors } = await trainer.snapshot();
    const { plan } = trainer;
    trainer.dispose();
    return { plan, result: { metrics, inspections, tensors } };
  };

  test('is trained, and its attention is seen, as with room for all', async () => {
    const whole = await trained(null);
    expect(whole.plan.recomputes).toBe(false);
    // On the CPU frozen weights come on top of what members are given.
    const frozen =
      experiment.policy.adapterRank === 0 ? 0 : (findModel(experiment.policy.model)?.bytes ?? expect.fail());
    const tight = await trained(whole.plan.bytes - frozen - 1);
    expect(tight.plan).toMatchObject({ recomputes: true, microbatches: 1 });
    expect(tight.plan.bytes).toBeLessThan(whole.plan.bytes);
    expect(whole.result.inspections?.[0]).toHaveProperty('attention');
    expect(tight.result).toEqual(whole.result);
    await expect(trained(tight.plan.bytes - frozen - 1)).rejects.toMatchObject({ code: 'limits' });
  });
});
