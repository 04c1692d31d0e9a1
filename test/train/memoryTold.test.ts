/** Memory of a language model's run, as it is told before anything is taken. */
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { createShared } from '../../src/tensor/cpu/memory';
import { readPolicies } from '../../src/train/policies/files';
import { Trainer } from '../../src/train/population/trainer';
import { weightsOf } from '../../src/train/population/training';
import { chooseBackend } from '../../src/train/run/choose/backends';
import { weigh } from '../../src/train/run/choose/weigh';
import { encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { lackOf, type Memory, memoryOf, memoryWords } from '../../src/train/run/memory';

const { experiment: preset } = findPreset('listener') ?? expect.fail();
const listener = {
  ...preset,
  seeds: 2,
  arms: preset.arms.slice(0, 2),
  batch: { groups: 2, groupSize: 4 },
  evaluation: { ...preset.evaluation, every: 0 },
};
const file = new Blob([new Uint8Array(readFileSync('public/models/stories260k/model.safetensors'))]);
const sum = ({ uses }: Memory): number => Object.values(uses).reduce((all, bytes) => all + bytes, 0);
const MODEL = 1_040_128;

test.each([0, 8])('is what two Workers take: rank %i', async (adapterRank) => {
  const experiment = { ...listener, policy: { ...listener.policy, adapterRank } };
  const weights = weightsOf(await readPolicies([file], experiment));
  const place = { kind: 'cpu', limits: (await createCpuBackend()).limits, workers: 2 } as const;
  const memory = memoryOf(place, experiment) as Memory;
  const hands = [0, 1].map((seed) => experiment.arms.map(({ id }, armIndex) => ({ arm: id, armIndex, seed })));
  const shared = createShared(MODEL + 2 ** 16) ?? expect.fail();
  for (const members of hands) new Trainer(await createCpuBackend({ shared }), experiment, { weights, members });
  const taken = shared.memory.buffer.byteLength;
  expect(taken / sum(memory)).toBeGreaterThan(0.8);
  // What is free of the last 4 MiB that a memory grew by, and scratch, are not told.
  expect(taken / sum(memory)).toBeLessThan(1.1);
  expect(memory.uses.frozen).toBe(adapterRank > 0 ? MODEL : 0);
  expect(memoryWords(memory)).toMatch(
    adapterRank > 0
      ? /^Takes about \d+ MiB of memory\. That is 1 MiB for the frozen model, which 2 Workers share; \d+ MiB for adapters/
      : /^Takes about \d+ MiB of memory\. That is \d+ MiB for weights with gradients/,
  );
});

test.each([0, 8])('counts copies of the state that are saved: rank %i', async (adapterRank) => {
  const experiment = { ...listener, policy: { ...listener.policy, adapterRank } };
  const weights = weightsOf(await readPolicies([file], experiment));
  const place = { kind: 'cpu', limits: (await createCpuBackend()).limits, workers: 1 } as const;
  const { saved, threads } = memoryOf(place, experiment) as Memory;
  expect(threads).toBe(0);
  const trainer = new Trainer(await createCpuBackend(), experiment, { weights });
  const snapshot = await trainer.snapshot();
  const held = Object.values(snapshot.tensors).reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  const empty = { experiment: {}, machines: [], curves: new Float32Array(0), tokens: 0 };
  const written = encodeCheckpoint({ snapshot, backend: 'cpu', ...empty });
  // The newest for recovery, the one that is saved, and its file; heads of files and counts of steps are not told.
  expect((2 * held + written.length) / saved).toBeGreaterThan(1);
  expect((2 * held + written.length) / saved).toBeLessThan(1.05);
});

test('is refused where the machine has less, with what makes it smaller', async () => {
  const adapters = { ...listener, policy: { ...listener.policy, adapterRank: 8 } };
  const place = { kind: 'cpu', limits: (await createCpuBackend()).limits, workers: 2 } as const;
  const memory = memoryOf(place, adapters) as Memory;
  // The program and its two Workers take memory too.
  const beside = memory.read + memory.saved + (120 + 2 * 60) * 2 ** 20;
  expect(lackOf(memory, sum(memory) + beside)).toBeNull();
  expect(memoryWords(memory)).toMatch(/; 240 MiB for the lab itself\.$/);
  expect(lackOf(memory, sum(memory) + memory.read)).toMatchObject({
    code: 'limits',
    what: expect.stringMatching(/^Takes about \d+ MiB of memory, and this machine has \d+ MiB\. That is/),
    advice: expect.stringMatching(/^Choose fewer arms/),
  });
  expect(lackOf({ ...memory, isShared: false }, 1)?.advice).toMatch(/^Choose fewer Workers/);
  // A GPU has memory of its own.
  expect(lackOf({ ...memory, kind: 'webgpu' }, beside)).toBeNull();
  const full = { ...memory, uses: { ...memory.uses, frozen: 0 } };
  expect(lackOf(full, 1)?.advice).toMatch(/adapters in place of all weights/);
  const tiny = { ...place, limits: { ...place.limits, memoryBudgetBytes: 1024 } };
  expect(memoryOf(tiny, adapters)).toBeNull();
});

test('is told of a browser before a run, by what it says of its machine', async () => {
  const choose = () => chooseBackend('cpu', undefined, { workers: 2, start: vi.fn() });
  const adapters = { ...listener, policy: { ...listener.policy, adapterRank: 8 } };
  const place = { kind: 'cpu', limits: (await createCpuBackend()).limits, workers: 2 } as const;
  const text = memoryWords(memoryOf(place, adapters) as Memory);
  expect(await weigh(adapters, null, choose, 8)).toEqual({ text, isLacking: false });
  expect(await weigh(adapters, null, choose)).toEqual({ text, isLacking: false });
  const few = await weigh(adapters, null, choose, 0.001);
  expect(few).toMatchObject({
    isLacking: true,
    text: expect.stringMatching(/^Takes about .* has at least 2 MiB\. That is .* Choose fewer/),
  });
  const many = { ...listener, batch: { groups: 2048, groupSize: 64 }, seeds: 32 };
  expect(await weigh(many, null, choose)).toMatchObject({
    isLacking: true,
    text: expect.stringMatching(/^It does not fit/),
  });
});
