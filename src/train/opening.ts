/**
 * From an experiment to a Training ready to run: the backend is chosen, memory taken, kernels compiled, a snapshot
 * restored. Where memory does not suffice, the same experiment is planned smaller (more microbatches, the same numbers).
 */
import type { Experiment } from '../experiment/experiment';
import { LabError } from '../foundation/errors';
import { type ChosenBackend, chooseBackend } from './backends';
import { browserPool } from './poolPort';
import type { BackendChoice } from './protocol';
import type { Snapshot, Training } from './training';

export interface Opened {
  readonly training: Training;
  readonly chosen: ChosenBackend;
  /** Share of the usual memory it was planned with. */
  readonly memoryShare: number;
}

export interface OpeningOptions {
  readonly choice: BackendChoice;
  readonly snapshot: Snapshot | null;
  /** What is happening, for the person. */
  readonly detail: (text: string) => void;
  /** As soon as it is known, before memory is taken. */
  readonly onChosen?: (chosen: ChosenBackend) => void;
}

const MEMORY_SHARES = [1, 0.5, 0.25, 0.125];

/** Throws LabError; whatever was opened by then is closed again. */
export async function openTraining(experiment: Experiment, options: OpeningOptions): Promise<Opened> {
  for (const memoryShare of MEMORY_SHARES) {
    try {
      return await openWith(experiment, options, memoryShare);
    } catch (cause) {
      const last = memoryShare === MEMORY_SHARES.at(-1);
      if (last || !(cause instanceof LabError) || cause.code !== 'out-of-memory') throw cause;
      options.detail('the device has too little memory free: planning smaller');
    }
  }
  throw new LabError('internal', 'No plan was tried.', 'Please report this with the link of the experiment.');
}

async function openWith(experiment: Experiment, options: OpeningOptions, memoryShare: number): Promise<Opened> {
  const { choice, snapshot, detail, onChosen } = options;
  const pool = browserPool(experiment.arms.length * experiment.seeds);
  const chosen = await chooseBackend(choice, globalThis.navigator?.gpu, pool, { memoryShare });
  onChosen?.(chosen);
  detail('allocating memory');
  const training = chosen.train(experiment);
  try {
    await training.prepare((done, total) => detail(`compiled ${done} of ${total} kernels`));
    if (snapshot !== null) {
      await training.restore(snapshot);
      training.setTimeline(experiment.timeline);
    }
    return { training, chosen, memoryShare };
  } catch (cause) {
    training.dispose();
    throw cause;
  }
}
