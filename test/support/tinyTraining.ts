/** Tiny trainings of a few arms on the CPU: curves of members, and their parameters in the end. */
import { expect } from 'vitest';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import type { MetricName } from '../../src/rl/measure/metrics';
import { cpuTrainer, curveOf, metricsOf } from './trained';

export const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
export const tinyMask: Arm = { ...defaultArm('mask', 'Mask'), learningRate: 0.003 };

/** Trains one member an arm. */
export async function trainTiny(arms: readonly Arm[], updates: number, more: Partial<Experiment> = {}) {
  const trainer = await cpuTrainer({ ...tiny, seeds: 1, arms: [...arms], ...more });
  const curves = await metricsOf(trainer, updates);
  const { parameters } = (await trainer.snapshot()).tensors;
  const N = trainer.layout.size;
  const of = (name: MetricName, member: number) => curveOf(curves, member, name);
  return { of, parameters: (member: number) => parameters.slice(member * N, (member + 1) * N) };
}

/**
 * No bit of an arm without an added loss differs beside arms that have it, with a critic, minibatches and inner epochs too; the
 * last of those arms learns otherwise. `metric`: NaN where the loss is not there.
 */
export async function expectOthersUnchanged(added: readonly Arm[], metric: MetricName): Promise<void> {
  const ppo: Arm = {
    ...tinyMask,
    id: 'ppo',
    advantageCredit: 'gae',
    valueCoefficient: 0.5,
    minibatches: 2,
    innerEpochs: 2,
  };
  const [alone, beside] = [await trainTiny([tinyMask, ppo], 3), await trainTiny([tinyMask, ppo, ...added], 3)];
  for (const member of [0, 1]) {
    expect(beside.parameters(member)).toEqual(alone.parameters(member));
    expect(beside.of(metric, member)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  }
  for (const i of added.keys()) expect(beside.parameters(2 + i)).not.toEqual(alone.parameters(0));
}
