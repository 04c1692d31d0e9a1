/**
 * Minibatches in training: the same bits alone and among others, after a resumption, and however the batch is cut into
 * microbatches; a formula that says what the lab's own loss says trains the same policy.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findObjective, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { cpuTrainer, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const arm = (id: string, changes: Partial<Arm>): Arm => ({
  ...withObjective(defaultArm(id, id), findObjective('world-model')),
  innerEpochs: 2,
  learningRate: 0.01,
  klCoefficient: 0.05,
  ...changes,
});

const PPO = `ratio = exp(clip(logp - old_logp, -20, 20))
loss = max(-A * ratio, -A * clip(ratio, 0.8, 1.2))`;
const whole = arm('whole', {});
const cut = arm('cut', { minibatches: 3 });
const nowhere = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };
const said = arm('said', {
  minibatches: 3,
  losses: [{ name: 'mine', text: PPO, place: 'policy', on: nowhere, values: {} }],
});
const experiment = (arms: readonly Arm[]): Experiment =>
  parseExperiment({ ...tiny, batch: { groups: 8, groupSize: 4 }, seeds: 1, arms: [...arms] });

async function train(given: Experiment, updates: number, halvings = 0) {
  const trainer = await cpuTrainer(given, { halvings });
  const metrics = await metricsOf(trainer, updates);
  const snapshot = await trainer.snapshot();
  const N = trainer.layout.size;
  const of = (p: number) => snapshot.tensors.parameters.slice(p * N, (p + 1) * N);
  return { trainer, metrics, snapshot, of };
}

describe('An arm with minibatches', () => {
  let all: Awaited<ReturnType<typeof train>>;
  beforeAll(async () => {
    all = await train(experiment([whole, cut, said]), 3);
  });

  it('is the same alone as among others, and leaves them as they were', async () => {
    for (const [index, one] of [whole, cut].entries()) {
      const alone = await train(experiment([one]), 3);
      expect(alone.of(0)).toEqual(all.of(index));
      alone.metrics.forEach((metrics, i) => {
        expect(metrics).toEqual(all.metrics[i]?.slice(index * METRICS.length, (index + 1) * METRICS.length));
      });
    }
    expect(all.of(1)).not.toEqual(all.of(0));
  });

  it('continues from a snapshot as if it had not stopped', async () => {
    const first = await train(experiment([cut]), 2);
    const resumed = await cpuTrainer(experiment([cut]));
    await resumed.restore(first.snapshot);
    const { metrics } = await resumed.runUpdate();
    expect(await metrics).toEqual(all.metrics[2]?.slice(METRICS.length, 2 * METRICS.length));
    expect((await resumed.snapshot()).tensors.parameters).toEqual(all.of(1));
  });

  it('does not notice how the batch is cut into microbatches', async () => {
    const small = await train(experiment([whole, cut, said]), 3, 1);
    expect(small.trainer.microbatches).toBeGreaterThan(all.trainer.microbatches);
    for (const index of [0, 1, 2]) expect(small.of(index)).toEqual(all.of(index));
  });

  it('trains the same by a formula that says the same', () => {
    const [own, formula] = [all.of(1), all.of(2)];
    // At a learning rate of 0.01, after 18 steps.
    expect(Math.max(...Array.from(own, (value, i) => Math.abs(value - (formula[i] as number))))).toBeLessThan(1e-3);
  });

  it('measures the batch before its first step, and its ratios in every step', () => {
    const at = (update: number, p: number, name: keyof typeof METRIC) =>
      all.metrics[update]?.[p * METRICS.length + METRIC[name]] as number;
    for (const name of ['entropy', 'observationCrossEntropy', 'kl', 'gradNorm'] as const) {
      expect(at(0, 1, name)).toBe(at(0, 0, name));
    }
    expect(at(0, 1, 'klOld')).toBeGreaterThan(at(0, 0, 'klOld'));
  });

  it('has no more minibatches than trajectories, at the start and after a change', () => {
    const given = { ...tiny, batch: { groups: 4, groupSize: 2 } };
    const problems = (changes: object) => checkExperiment({ ...given, ...changes }).problems;
    expect(problems({ arms: [arm('cut', { minibatches: 8 })] })).toEqual([]);
    expect(problems({ arms: [arm('cut', { minibatches: 9 })] })).toMatchObject([{ path: 'arms.cut.minibatches' }]);
    const change = { update: 2, arm: '*', setting: 'minibatches', value: 9 };
    expect(problems({ timeline: [change] })).toMatchObject([{ path: 'arms.*.minibatches' }]);
  });
});
