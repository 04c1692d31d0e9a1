/**
 * One population of arms with every special objective (a critic, choices by covariance and entropy, PaW's turns, greedy
 * baselines, a placebo, corrections for decoding). No arm may change a bit of another's numbers, nor may microbatches or
 * a pause.
 */
import { describe, expect, test } from 'vitest';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findObjective, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { placeboTargets } from '../../src/rl/play/placebo';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import { recordedTrajectories } from '../rl/replay';
import { cpuTrainer, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;

function arm(id: string, changes: Partial<Arm> = {}): Arm {
  const chosen = withObjective(defaultArm(id, id), findObjective(id) ?? raise(id));
  return { ...chosen, innerEpochs: 3, learningRate: 0.01, ...changes };
}

function raise(id: string): never {
  throw new Error(`There is no objective ${id}.`);
}

const ids = ['ppo', 'kl-cov', 'paw-high', 'remax', 'gigpo', 'placebo', 'gspo', 'world-model'] as const;
const arms = [...ids.map((id) => arm(id)), arm('grpo', { entropyShare: 0.4, decodingCorrection: 'truncate' })];
const mixed: Experiment = { ...tiny, seeds: 1, arms, diagnosticsEvery: 1 };

async function run(experiment: Experiment, updates: number, backend?: Backend) {
  const trainer = new Trainer(backend ?? (await createCpuBackend()), experiment);
  await trainer.prepare();
  const metrics = await metricsOf(trainer, updates);
  return { trainer, metrics, parameters: (await trainer.snapshot()).tensors.parameters };
}

const row = (metrics: Float64Array | undefined, p: number): Float64Array =>
  (metrics as Float64Array).slice(p * METRICS.length, (p + 1) * METRICS.length);

describe('a population of different objectives', async () => {
  const together = await run(mixed, 3);
  const N = together.trainer.layout.size;

  test.each(arms.map(({ id }, p) => ({ id, p })))('$id is the same alone, bit for bit', async ({ p }) => {
    const alone = await run({ ...mixed, arms: [arms[p] as Arm] }, 3);
    expect(alone.metrics).toEqual(together.metrics.map((metrics) => row(metrics, p)));
    expect(alone.parameters).toEqual(together.parameters.slice(p * N, (p + 1) * N));
  });

  test('is the same however the batch is cut', async () => {
    const large = { ...mixed, batch: { groups: 12, groupSize: 4 } };
    const whole = await run(large, 2);
    const backend = await createCpuBackend();
    Object.assign(backend.limits, { memoryBudgetBytes: 0.75 * whole.trainer.plan.bytes });
    const cut = await run(large, 2, backend);
    expect(cut.trainer.plan.microbatches).toBeGreaterThan(1);
    expect(cut.metrics).toEqual(whole.metrics);
    expect(cut.parameters).toEqual(whole.parameters);
  });

  test('continues from a snapshot as if it had not stopped', async () => {
    const half = await run(mixed, 1);
    const resumed = await cpuTrainer(mixed);
    await resumed.restore(await half.trainer.snapshot());
    for (let i = 1; i < 3; i++) expect(await (await resumed.runUpdate()).metrics).toEqual(together.metrics[i]);
    expect((await resumed.snapshot()).tensors.parameters).toEqual(together.parameters);
  });

  test('measures a world-model gradient only where there is one', () => {
    for (const metrics of together.metrics) {
      const norm = (id: (typeof ids)[number]) => row(metrics, ids.indexOf(id))[METRIC.worldModelGradNorm];
      expect(norm('ppo')).toBe(0);
      expect(norm('world-model')).toBeGreaterThan(0);
      expect(row(metrics, ids.indexOf('ppo'))[METRIC.valueLoss]).toBeGreaterThanOrEqual(0);
    }
  });
});

test('a placebo moves whole observations, and nothing else', () => {
  const trajectories = recordedTrajectories(2, 0);
  const members = [0, 1].map((armIndex) => ({ armIndex, arm: String(armIndex), seed: 0 }));
  const both = [arm('placebo'), arm('world-model')];
  const { targets } = placeboTargets(trajectories, members, both, 5, 0);
  if (targets === undefined) throw new Error('no targets');
  const stride = targets.length / 2;
  expect(targets.slice(stride)).toEqual(trajectories.tokens.slice(stride));
  const observed = (tokens: Uint16Array): number[] =>
    Array.from(tokens.subarray(0, stride)).filter((_, i) => trajectories.roles[i] === ROLE.observation);
  expect(observed(targets)).not.toEqual(observed(trajectories.tokens));
  expect(observed(targets).sort()).toEqual(observed(trajectories.tokens).sort());
  trajectories.roles.subarray(0, stride).forEach((role, i) => {
    if (role !== ROLE.observation) expect(targets[i]).toBe(trajectories.tokens[i]);
  });
});
