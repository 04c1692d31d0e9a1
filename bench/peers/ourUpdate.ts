/** This lab's side of the comparison of whole updates: the trainer with one member, in Node on one thread. */
import type { Experiment } from '../../src/experiment/experiment';
import { gridworld } from '../../src/experiment/presets/gridworld';
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { METRIC } from '../../src/rl/metrics';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';

/** The world model's arm of `gridworld`, one seed, without the diagnosis of every tenth update. */
export const UPDATE_EXPERIMENT: Experiment = {
  ...gridworld.experiment,
  arms: gridworld.experiment.arms.filter(({ id }) => id === 'world-model'),
  seeds: 1,
  diagnosticsEvery: 0,
};

export interface Played {
  /** Share of the episodes that succeeded. */
  readonly success: number;
  /** Tokens of all trajectories. */
  readonly tokens: number;
}

export async function ourUpdate(kind: CpuKind): Promise<() => Promise<Played>> {
  const trainer = new Trainer(await createCpuBackend({ kind }), UPDATE_EXPERIMENT);
  await trainer.prepare();
  return async () => {
    const { metrics, tokens } = await trainer.runUpdate();
    return { success: (await metrics)[METRIC.successRate] as number, tokens };
  };
}
