/** This lab's side of the comparison of whole updates: the trainer with one member, in Node on one thread. */
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets';
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { FEED_FORWARD_FACTOR, type PolicyConfiguration } from '../../src/policy/configuration';
import { METRIC } from '../../src/rl/metrics';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';

/**
 * The world model's arm of a preset in the plain gridworld, one seed, without what is not done in every update and without
 * tasks that are held out.
 */
export function updateExperiment(preset: string): Experiment {
  const experiment = findPreset(preset)?.experiment;
  if (experiment?.environment.id !== 'gridworld') throw new RangeError(`${preset} is no preset in the gridworld.`);
  return {
    ...experiment,
    arms: experiment.arms.filter(({ id }) => id === 'world-model'),
    seeds: 1,
    diagnosticsEvery: 0,
    evaluation: { ...experiment.evaluation, every: 0 },
    environment: { ...experiment.environment, settings: { ...experiment.environment.settings, heldOut: 0 } },
  };
}

export interface Played {
  /** Share of the episodes that succeeded. */
  readonly success: number;
  /** Tokens of all trajectories. */
  readonly tokens: number;
  /** Cross-entropy of the observations before the update's first step, nats. */
  readonly predicted: number;
}

export async function ourUpdate(kind: CpuKind, experiment: Experiment): Promise<() => Promise<Played>> {
  const trainer = new Trainer(await createCpuBackend({ kind }), experiment);
  await trainer.prepare();
  return async () => {
    const { metrics, tokens } = await trainer.runUpdate();
    const row = await metrics;
    const [success, predicted] = [row[METRIC.successRate] as number, row[METRIC.observationCrossEntropy] as number];
    return { success, tokens, predicted };
  };
}

/** Flops of an update's matrix products by weights: a forward pass to play; in each inner epoch one, and a backward pass of two. */
export function updateFlops({ arms }: Experiment, policy: PolicyConfiguration, tokens: number): number {
  const { layers, width, vocabulary } = policy;
  const trained = 3 * (arms[0]?.innerEpochs ?? 0);
  const blocks = layers * (4 + 2 * FEED_FORWARD_FACTOR) * width ** 2;
  return 2 * tokens * ((1 + trained) * blocks + trained * width * vocabulary);
}
