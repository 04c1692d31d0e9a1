/** This lab's side of the comparison of whole updates: the trainer with one member, in Node on one thread. */
import { readFileSync } from 'node:fs';
import type { Experiment } from '../../src/experiment/experiment';
import { findModel } from '../../src/experiment/models';
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { METRIC } from '../../src/rl/measure/metrics';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { readPolicies } from '../../src/train/policies/files';
import { Trainer } from '../../src/train/population/trainer';
import { type FileWeights, weightsOf } from '../../src/train/population/training';
import type { Batch, Lesson } from './firstUpdate';

export interface Played {
  /** Share of the episodes that succeeded. */
  readonly success: number;
  /** Tokens of all trajectories. */
  readonly tokens: number;
  /** Cross-entropy of the observations before the update's first step, nats. */
  readonly predicted: number;
}

/** Weights that the experiment's policies begin from, by their hash; none where they begin from noise. */
export async function baseOf(experiment: Experiment): Promise<FileWeights> {
  const model = findModel(experiment.policy.model);
  if (model === undefined) return new Map();
  const file = new Blob([new Uint8Array(readFileSync(`public/${model.file}`))]);
  return weightsOf(await readPolicies([file], experiment));
}

async function trainerOn(kind: CpuKind, experiment: Experiment): Promise<Trainer> {
  const weights = await baseOf(experiment);
  const trainer = new Trainer(await createCpuBackend({ kind }), experiment, { weights });
  await trainer.prepare();
  return trainer;
}

export async function ourUpdate(kind: CpuKind, experiment: Experiment): Promise<() => Promise<Played>> {
  const trainer = await trainerOn(kind, experiment);
  return async () => {
    const { metrics, tokens } = await trainer.runUpdate();
    const row = await metrics;
    const [success, predicted] = [row[METRIC.successRate] as number, row[METRIC.observationCrossEntropy] as number];
    return { success, tokens, predicted };
  };
}

/** First update of a fresh trainer: the batch that it played, and what it learned from it. */
export async function ourFirstUpdate(kind: CpuKind, experiment: Experiment): Promise<{ batch: Batch; lesson: Lesson }> {
  const trainer = await trainerOn(kind, experiment);
  const { metrics } = await trainer.runUpdate();
  const row = await metrics;
  const batch = await batchOf(trainer, experiment);
  const { parameters } = (await trainer.snapshot()).tensors;
  trainer.dispose();
  const [predicted, entropy, gradient] = [METRIC.observationCrossEntropy, METRIC.entropy, METRIC.gradNorm].map(
    (metric) => row[metric] as number,
  ) as [number, number, number];
  return { batch, lesson: { predicted, entropy, gradient, parameters: Float32Array.from(parameters) } };
}

/** Trajectories that the last update learned from. */
async function batchOf(trainer: Trainer, { batch: { groups, groupSize } }: Experiment): Promise<Batch> {
  const { context } = trainer.environment;
  const tokens = new Uint32Array(groups * groupSize * context);
  const lengths = new Uint32Array(groups * groupSize);
  const succeeded = new Uint32Array(groups * groupSize);
  for (let group = 0; group < groups; group++) {
    const [seen] = (await trainer.inspect({ seed: 0, group, trajectory: 0 })) ?? [];
    for (let i = 0; i < groupSize; i++) {
      const at = group * groupSize + i;
      // Branches of the group's tree, each after the one it grows from: those that a rollout takes are its tokens.
      const own = seen?.tree.filter(({ rollouts }) => rollouts.includes(i)).flatMap((branch) => branch.tokens) ?? [];
      tokens.set(own, at * context);
      lengths[at] = own.length;
      succeeded[at] = seen?.successes[i] ?? 0;
    }
  }
  return { tokens, lengths, succeeded };
}
