/** The memory plan: it covers what training really takes, refuses before anything is taken, and cuts long dispatches. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import type { Backend, Tensor } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';

const { experiment } = findPreset('gridworld') as { experiment: Experiment };
const MIB = 2 ** 20;

async function planned(value: Experiment, limits: Partial<Backend['limits']> = {}): Promise<[Trainer, Backend]> {
  const backend = await createCpuBackend();
  Object.assign(backend.limits, limits);
  const trainer = new Trainer(backend, value);
  onTestFinished(() => trainer.dispose());
  return [trainer, backend];
}

describe('the memory plan', () => {
  test.each([
    ['the default experiment', experiment],
    ['another shape', { ...experiment, policy: { ...experiment.policy, layers: 3, width: 32, heads: 2 }, seeds: 2 }],
    [
      'many trajectories of a narrow policy',
      {
        ...experiment,
        seeds: 1,
        policy: { ...experiment.policy, width: 16, heads: 2 },
        batch: { groups: 128, groupSize: 8 },
        environment: { ...experiment.environment, settings: { ...experiment.environment.settings, horizon: 48 } },
      },
    ],
    ['a batch of many groups', { ...experiment, seeds: 1, batch: { groups: 64, groupSize: 8 } }],
  ])('covers what %s takes, not much more', async (_, value) => {
    const [trainer, backend] = await planned(value);
    expect(backend.allocatedBytes).toBeLessThanOrEqual(trainer.plan.bytes);
    expect(backend.allocatedBytes).toBeGreaterThan(trainer.plan.bytes * 0.8);
  });

  test('stays within a budget that cuts the batch into many parts', async () => {
    const narrow = { ...experiment, seeds: 1, policy: { ...experiment.policy, width: 16, heads: 2 } };
    const long = { ...narrow.environment, settings: { ...narrow.environment.settings, horizon: 48 } };
    const value = { ...narrow, environment: long, batch: { groups: 128, groupSize: 8 } };
    const [trainer, backend] = await planned(value, { memoryBudgetBytes: 140 * MIB });
    expect(trainer.plan.microbatches).toBeGreaterThan(3);
    expect(backend.allocatedBytes).toBeLessThanOrEqual(140 * MIB);
  });

  test('leaves the batch whole in what a large GPU is given', async () => {
    const [trainer] = await planned(experiment, { memoryBudgetBytes: 2048 * MIB, maxOperationFlops: 5e9 });
    expect(trainer.plan.microbatches).toBe(1);
  });

  test('cuts the batch where memory is short', async () => {
    const [trainer, backend] = await planned(experiment, { memoryBudgetBytes: 256 * MIB });
    expect(trainer.plan.microbatches).toBeGreaterThan(1);
    expect(backend.allocatedBytes).toBeLessThanOrEqual(256 * MIB);
  });

  test('has room for all that is looked at while it trains, and for what it brings back', async () => {
    const { experiment: tiny } = findPreset('gridworld-tiny') as { experiment: Experiment };
    const backend = await createCpuBackend();
    const read = vi.spyOn(backend, 'read');
    /** Labels of large tensors that were read back. */
    const large = (): Set<string> =>
      new Set((read.mock.calls.flat() as Tensor[]).flatMap(({ label, stride }) => (stride > 256 ? [label] : [])));
    const trainer = new Trainer(backend, {
      ...tiny,
      seeds: 1,
      batch: { groups: 2, groupSize: 4 },
      diagnosticsEvery: 1,
    });
    await trainer.prepare();
    const [bytes, rehearsed] = [backend.allocatedBytes, large()];
    const { episodes, diagnosis } = await trainer.runUpdate({ seed: 0, group: 0 }, true);
    expect(await diagnosis).not.toBeNull();
    await trainer.snapshot();
    expect([...large()]).toEqual([...rehearsed]);
    expect(rehearsed).toContain('gradients');
    expect(await trainer.inspect({ seed: 0, group: 0, trajectory: 0 })).toHaveLength(tiny.arms.length);
    expect(await trainer.probe(0)).toHaveLength(tiny.arms.length);
    const dreams = await trainer.dream({ id: 1, sampling: 'greedy', episodes: (await episodes) ?? [] });
    expect(dreams).toHaveLength(tiny.arms.length);
    expect(backend.allocatedBytes).toBe(bytes);
    trainer.dispose();
  });

  test('refuses what cannot fit before taking anything', async () => {
    const backend = await createCpuBackend();
    const before = backend.allocatedBytes;
    Object.assign(backend.limits, { memoryBudgetBytes: 64 * MIB });
    // It is the CPU already.
    expect(() => new Trainer(backend, experiment)).toThrow(/needs .* MiB.*Choose fewer.* train adapters\.$/);
    Object.assign(backend.limits, { maxBindingBytes: 4 * MIB });
    expect(() => new Trainer(backend, experiment)).toThrow(/train adapters, or choose the CPU\.$/);
    expect(backend.allocatedBytes).toBe(before);
    backend.dispose();
  });

  test('keeps the largest operation short where a watchdog waits', async () => {
    const wide = { ...experiment, seeds: 1, policy: { ...experiment.policy, width: 256 } };
    const [whole] = await planned(wide);
    expect(whole.plan.microbatches).toBe(1);
    const [trainer] = await planned(wide, { maxOperationFlops: 5e8 });
    expect(trainer.plan.microbatches).toBeGreaterThan(1);
  });
});
