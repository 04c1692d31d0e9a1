/**
 * Conditions of a fair comparison and a trustworthy link, on every backend: the same start and the same numbers, whatever
 * else is in the population and however the batch is cut.
 */
import { describe, expect, it } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { type Diagnosis, type RoleNumbers, readMember } from '../../src/rl/look/diagnosis/table';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import type { Backend, FloatData } from '../../src/tensor/backend';
import { standingIn } from '../../src/train/bench/counts';
import { Trainer } from '../../src/train/population/trainer';
import { availableBackends } from '../support/backends';
import { spellingEnvironment } from '../support/spellingEnvironment';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const columns = METRICS.length;

async function curves(
  backend: Backend,
  experiment: Experiment,
  updates: number,
  options: ConstructorParameters<typeof Trainer>[2] = {},
  diagnose = false,
): Promise<{ metrics: Float64Array[]; parameters: FloatData; trainer: Trainer; diagnosis: Diagnosis | null }> {
  const trainer = new Trainer(backend, experiment, options);
  await trainer.prepare();
  const metrics: Float64Array[] = [];
  let diagnosis: Diagnosis | null = null;
  for (let i = 0; i < updates; i++) {
    const result = await trainer.runUpdate(undefined, diagnose);
    metrics.push(await result.metrics);
    diagnosis = (await result.diagnosis) ?? diagnosis;
  }
  return { metrics, parameters: (await trainer.snapshot()).tensors.parameters, trainer, diagnosis };
}

/** The backend with a smaller memory budget. */
const withBudget = (backend: Backend, memoryBudgetBytes: number): Backend =>
  standingIn(backend, { limits: { ...backend.limits, memoryBudgetBytes } });

const memberRow = (metrics: Float64Array, member: number) => metrics.slice(member * columns, (member + 1) * columns);

describe.each(availableBackends)('Trainer on $name', ({ create }) => {
  it('gives the same numbers twice, bit for bit, looked at or not', async () => {
    const first = await curves(await create(), tiny, 3);
    const second = await curves(await create(), tiny, 3, {}, true);
    const seen = second.diagnosis as Diagnosis;
    expect(seen.update).toBe(0);
    const member = tiny.seeds;
    const { layers, roles } = readMember(seen, member);
    const worldModel = first.metrics[0]?.[member * columns + METRIC.worldModelGradNorm] as number;
    expect(Math.hypot(...layers.map((layer) => layer.worldModel)) / worldModel).toBeCloseTo(1, 4);
    expect((roles[ROLE.observation] as RoleNumbers).gradient / worldModel).toBeCloseTo(1, 4);
    expect(second.metrics).toEqual(first.metrics);
    expect(second.parameters).toEqual(first.parameters);
    expect(first.metrics[2]?.[METRIC.observationCrossEntropy]).toBeGreaterThan(1);
  });

  it('trains a member alone as it does among others', async () => {
    const all = await curves(await create(), tiny, 3);
    const [, arm] = tiny.arms;
    if (arm === undefined) throw new Error('the preset has no second arm');
    const alone = await curves(await create(), { ...tiny, arms: [arm] }, 3, { seeds: [1] });
    const index = all.trainer.members.findIndex((member) => member.arm === arm.id && member.seed === 1);
    alone.metrics.forEach((metrics, update) => {
      expect(metrics).toEqual(memberRow(all.metrics[update] as Float64Array, index));
    });
    const N = all.trainer.layout.size;
    expect(alone.parameters).toEqual(all.parameters.slice(index * N, (index + 1) * N));
  });

  it('gives two identical arms identical numbers', async () => {
    const [arm] = tiny.arms;
    if (arm === undefined) throw new Error('the preset has no arm');
    const twins = { ...tiny, arms: [arm, { ...arm, id: 'twin', name: 'Twin' }], seeds: 1 };
    const { metrics } = await curves(await create(), twins, 3);
    for (const row of metrics) expect(memberRow(row, 1)).toEqual(memberRow(row, 0));
  });

  it('continues from a snapshot as if it had not stopped', async () => {
    const whole = await curves(await create(), tiny, 4);
    const half = await curves(await create(), tiny, 2);
    const snapshot = await half.trainer.snapshot();
    const resumed = new Trainer(await create(), tiny);
    await resumed.prepare();
    await resumed.restore(snapshot);
    for (let i = 2; i < 4; i++) {
      const { update, metrics } = await resumed.runUpdate();
      expect(update).toBe(i);
      expect(await metrics).toEqual(whole.metrics[i]);
    }
    expect((await resumed.snapshot()).tensors.parameters).toEqual(whole.parameters);
  });

  it('replays a live change from the timeline', async () => {
    const backend = await create();
    const live = new Trainer(backend, { ...tiny, seeds: 1 });
    await live.prepare();
    const change = { update: 1, arm: 'world-model', setting: 'ce.observation', value: 0.5 };
    const seen: Float64Array[] = [await (await live.runUpdate()).metrics];
    live.setTimeline([change]);
    for (let i = 1; i < 3; i++) seen.push(await (await live.runUpdate()).metrics);
    const replayed = await curves(await create(), { ...tiny, seeds: 1, timeline: [change] }, 3);
    expect(replayed.metrics).toEqual(seen);
    const unchanged = await curves(await create(), { ...tiny, seeds: 1 }, 3);
    expect(unchanged.metrics[2]).not.toEqual(seen[2]);
  });

  it('lets a member with fewer inner epochs sit out the later ones', async () => {
    const [arm] = tiny.arms;
    if (arm === undefined) throw new Error('the preset has no arm');
    const once = { ...arm, innerEpochs: 1 };
    const both = { ...tiny, seeds: 1, arms: [once, { ...arm, id: 'thrice', innerEpochs: 3 }] };
    const together = await curves(await create(), both, 2);
    const alone = await curves(await create(), { ...tiny, seeds: 1, arms: [once] }, 2);
    const N = alone.trainer.layout.size;
    expect(together.parameters.slice(0, N)).toEqual(alone.parameters);
    expect(together.parameters.slice(N)).not.toEqual(alone.parameters);
  });

  it('plays multi-token actions, and scores them in training as it drew them', async () => {
    const experiment = { ...tiny, seeds: 1, policy: { ...tiny.policy, layers: 2, positions: 'rotary' as const } };
    const { metrics } = await curves(await create(), experiment, 2, { environment: spellingEnvironment });
    for (const row of metrics) {
      for (let member = 0; member < experiment.arms.length; member++) {
        expect(row[member * columns + METRIC.mismatch]).toBeLessThan(1e-5);
        expect(row[member * columns + METRIC.entropy]).toBeGreaterThan(0.5);
      }
    }
  });

  it('gives the same numbers however the batch is cut into microbatches', async () => {
    const experiment = { ...tiny, seeds: 1, batch: { groups: 12, groupSize: 4 } };
    const whole = await curves(await create(), experiment, 2);
    const cut = await curves(withBudget(await create(), 0.75 * whole.trainer.plan.bytes), experiment, 2);
    expect(cut.trainer.plan.microbatches).toBeGreaterThan(1);
    expect(whole.trainer.plan.microbatches).toBe(1);
    expect(cut.metrics).toEqual(whole.metrics);
    expect(cut.parameters).toEqual(whole.parameters);
  });
});
