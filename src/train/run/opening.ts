/**
 * From an experiment to a Training ready to run: the backend is chosen, memory taken, kernels compiled, a snapshot
 * restored. Where memory does not suffice, the same experiment is planned smaller (more microbatches, the same numbers).
 */
import type { Experiment } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { LabError } from '../../foundation/errors';
import { browserPool } from '../pool/port';
import type { FilePolicies, MemberChoice, Snapshot, Training } from '../population/training';
import type { BackendChoice } from '../protocol';
import { assemble } from './assemble';
import { type ChosenBackend, chooseBackend } from './backends';

export interface Opened {
  readonly training: Training;
  readonly chosen: ChosenBackend;
  /** How often the usual plan was halved. */
  readonly halvings: number;
  /** What runs each arm that is a fixed policy, for the person; by the arm's id. */
  readonly runtimes: Readonly<Record<string, string>>;
}

export interface OpeningOptions {
  /** Asked for each attempt. */
  choose(): Promise<ChosenBackend>;
  readonly members?: MemberChoice;
  readonly snapshot: Snapshot | null;
  /** Of every file that the experiment names. */
  readonly policies?: FilePolicies;
  /** Halvings to begin with: memory that was not there before is not asked for again. */
  readonly halvings?: number;
  /** What is happening, for the person. */
  readonly detail: (text: string) => void;
  /** Whether nobody wants the training any more: a warm start need not be finished then. */
  readonly unwanted?: () => boolean;
  /** As soon as it is known, before memory is taken. */
  readonly onChosen?: (chosen: ChosenBackend) => void;
}

/** In a browser's Worker: on its GPU, or on Workers of its own. */
export function chooseHere(choice: BackendChoice, members: number): Promise<ChosenBackend> {
  return chooseBackend(choice, globalThis.navigator?.gpu, browserPool(members));
}

/** Throws LabError; whatever was opened by then is closed again. */
export async function openTraining(experiment: Experiment, options: OpeningOptions): Promise<Opened> {
  let full: LabError | null = null;
  for (let halvings = options.halvings ?? 0; ; halvings++) {
    try {
      return await openWith(experiment, options, halvings);
    } catch (cause) {
      if (!(cause instanceof LabError)) throw cause;
      // No smaller plan is left: that there is no memory is what the person should hear.
      if (cause.code === 'limits' && full !== null) throw full;
      if (cause.code !== 'out-of-memory') throw cause;
      full = cause;
      options.detail('there is too little memory free: planning smaller');
    }
  }
}

async function openWith(experiment: Experiment, options: OpeningOptions, halvings: number): Promise<Opened> {
  const { choose, members, snapshot, policies, detail, onChosen } = options;
  const chosen = await choose();
  onChosen?.(chosen);
  detail('allocating memory');
  const { training, runtimes } = await assemble(chosen, experiment, {
    ...members,
    halvings,
    ...(policies && { policies }),
  });
  try {
    await training.prepare((done, total) => detail(`compiled ${done} of ${total} kernels`));
    if (snapshot !== null) {
      await training.restore(snapshot);
      training.setTimeline(experiment.timeline);
    } else await warmUp(training, detail, options.unwanted);
    return { training, chosen, halvings, runtimes };
  } catch (cause) {
    training.dispose();
    throw cause;
  }
}

/** Supervised training before the first update, if there is any; returns to the event loop after each step. */
async function warmUp(
  training: Training,
  detail: (text: string) => void,
  unwanted = (): boolean => false,
): Promise<void> {
  while (!unwanted()) {
    const { done, total } = await training.warmUp();
    if (done >= total) return;
    detail(`warm start, ${done} of ${total} supervised updates`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** What a training runs on, from its next update on. */
export function machineOf({ training, chosen, halvings }: Opened): MachineEntry {
  return {
    update: training.finished,
    backend: chosen.kind,
    ...(halvings === 0 ? {} : { parts: training.microbatches }),
  };
}

/** For the person, when a plan had to be made smaller. */
export function smallerPlanWords({ microbatches }: Training): string {
  return `There was too little memory free, so each batch is cut into ${microbatches} parts. The numbers are the same, the speed may not be.`;
}
