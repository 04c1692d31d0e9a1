/** Trainers on the CPU, ready to train, and the metrics of their updates. */
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer, type TrainerOptions } from '../../src/train/population/trainer';
import type { Training } from '../../src/train/population/training';

/** Arm that begins by imitating in this way, and is named by it. */
export const armOf = (warmStart: Arm['warmStart'], changes: Partial<Arm> = {}): Arm => ({
  ...defaultArm(warmStart, warmStart),
  warmStart,
  ...changes,
});

export async function cpuTrainer(experiment: Experiment, options: TrainerOptions = {}): Promise<Trainer> {
  const trainer = new Trainer(await createCpuBackend(), experiment, options);
  await trainer.prepare();
  return trainer;
}

/** Metrics of the next updates, [updates][P · METRICS.length]. */
export async function metricsOf(training: Training, updates: number): Promise<Float64Array[]> {
  const rows: Float64Array[] = [];
  for (let i = 0; i < updates; i++) rows.push(await (await training.runUpdate()).metrics);
  return rows;
}

/** A metric of a member in each row of metrics. */
export const curveOf = (rows: readonly Float64Array[], member: number, name: MetricName): number[] =>
  rows.map((row) => row[member * METRICS.length + METRIC[name]] as number);
