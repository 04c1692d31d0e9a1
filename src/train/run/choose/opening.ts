/**
 * Opening of a Training, ready to run: the backend is chosen, memory taken, kernels compiled, a snapshot restored. Where
 * memory does not suffice, the same experiment is planned smaller (more microbatches, the same numbers).
 */
import type { Experiment } from '../../../experiment/experiment';
import type { MachineEntry } from '../../../experiment/machines';
import { isOfOwnWorld, openWorldsOf } from '../../../experiment/ownWorld';
import { parseExperiment } from '../../../experiment/parse';
import { codeHere } from '../../../experiment/provenance';
import { isOutOfMemory, LabError } from '../../../foundation/errors';
import { type WarmStartProgress, warmStartUpdates } from '../../../rl/learn/warmStart';
import { browserPool } from '../../pool/port';
import {
  type FilePolicies,
  type MemberChoice,
  type Snapshot,
  type Training,
  weightsOf,
} from '../../population/training';
import type { BackendChoice, Foreknown } from '../../protocol';
import { assemble } from '../assemble';
import { hostSecondsOf } from '../cohorts';
import { lossBehind } from '../keep/lost';
import { type BackendTask, type ChosenBackend, chooseBackend } from './backends';
import type { Rivals, Verdict } from './race';

export interface OpenedRun {
  readonly training: Training;
  readonly chosen: ChosenBackend;
  /** Times the usual plan was halved. */
  readonly halvings: number;
  /** Descriptions of the runtime of each fixed policy, for the person; by the arm's id. */
  readonly runtimes: Readonly<Record<string, string>>;
}

export interface OpeningOptions {
  /** Chooses a backend for a task, once for each attempt. */
  choose(task: BackendTask): Promise<ChosenBackend>;
  readonly members?: MemberChoice;
  readonly snapshot: Snapshot | null;
  /** Policies of every file that the experiment names. */
  readonly policies?: FilePolicies;
  /** Halvings of the first attempt, where larger plans have failed before. */
  readonly halvings?: number;
  /** Earlier knowledge that decides between GPU and CPU without a race. */
  readonly known?: Foreknown | undefined;
  /** Called with a text on the work at hand, for the person. */
  readonly detail: (text: string) => void;
  /** Called before a warm start, and with the progress after each of its steps. */
  readonly onImitation?: (progress: WarmStartProgress) => void;
  /** True if nobody wants the training any more; a warm start then stops. */
  readonly unwanted?: () => boolean;
  /** Called with the choice, before memory is taken. */
  readonly onChosen?: (chosen: ChosenBackend) => void;
}

/** Backend in a browser's Worker: its GPU, or Workers of its own, those of `pool`. */
export function chooseHere(
  choice: BackendChoice,
  members: number,
  task: BackendTask,
  pool = browserPool,
): Promise<ChosenBackend> {
  return chooseBackend(choice, globalThis.navigator?.gpu, pool(members), task);
}

/** Task for which a backend is chosen. Attempts share one race; only a run that begins has one. */
function taskOf(experiment: Experiment, options: OpeningOptions): BackendTask {
  const { snapshot, members, policies, known, detail, unwanted = () => false } = options;
  const hostSeconds = () => hostSecondsOf(experiment);
  if (snapshot !== null) return { hostSeconds };
  let verdict: Promise<Verdict> | undefined;
  const begin = async (rivals: Rivals): Promise<Verdict> => {
    const [{ race }, { racesOf }] = await Promise.all([import('./race'), import('./races')]);
    const earlier = { known: racesOf(known?.remembered, experiment), takes: known?.takes ?? null };
    return race(experiment, rivals, {
      ...members,
      ...earlier,
      weights: weightsOf(policies ?? new Map()),
      detail,
      unwanted,
    });
  };
  return {
    hostSeconds,
    race: (rivals) => {
      verdict ??= begin(rivals);
      return verdict;
    },
  };
}

/** Opens a training. Throws LabError, and has then closed all that it opened. */
export async function openTraining(experiment: Experiment, options: OpeningOptions): Promise<OpenedRun> {
  if (isOfOwnWorld(experiment.environment)) {
    options.detail('opening the sandbox of the world');
    await openWorldsOf(experiment);
    // Now the world itself judges its settings, and the cost of its episodes.
    parseExperiment(experiment);
  }
  const total = warmStartUpdates(experiment);
  // Before the kernels are compiled: there is something to see meanwhile.
  if (options.snapshot === null && total > 0) options.onImitation?.({ done: 0, total });
  const task = taskOf(experiment, options);
  let full: LabError | null = null;
  for (let halvings = options.halvings ?? 0; ; halvings++) {
    try {
      return await openWith(experiment, { ...options, choose: () => options.choose(task) }, halvings);
    } catch (cause) {
      if (!(cause instanceof LabError)) throw cause;
      // No smaller plan is left: the person should hear of the missing memory.
      if (cause.code === 'limits' && full !== null) throw full;
      if (cause.code !== 'out-of-memory') throw cause;
      full = cause;
      options.detail('there is too little memory free: planning smaller');
    }
  }
}

type Attempt = Omit<OpeningOptions, 'choose'> & { choose(): Promise<ChosenBackend> };

/** Training on the backend that `choose` names; where that cannot hold the experiment, on the one in its place. */
async function assembleOn(experiment: Experiment, options: Attempt, halvings: number) {
  const { members, policies, detail, onChosen } = options;
  const chosen = await options.choose();
  onChosen?.(chosen);
  detail('allocating memory');
  try {
    const choice = { ...members, halvings, ...(policies && { policies }) };
    return { chosen, halvings, ...(await assemble(chosen, experiment, choice)) };
  } catch (cause) {
    const { instead } = chosen;
    if (!(cause instanceof LabError) || cause.code !== 'limits' || instead === undefined) throw cause;
    return assembleOn(experiment, { ...options, choose: () => instead(cause) }, 0);
  }
}

async function openWith(experiment: Experiment, options: Attempt, halvings: number): Promise<OpenedRun> {
  const { snapshot, detail } = options;
  const opened = await assembleOn(experiment, options, halvings);
  const { training } = opened;
  try {
    await training.prepare((done, total) => detail(`compiled ${done} of ${total} kernels`));
    if (snapshot !== null) {
      await training.restore(snapshot);
      training.setTimeline(experiment.timeline);
    } else await warmUp(training, options);
    return opened;
  } catch (cause) {
    // A dying device fails in many words; its loss is the cause.
    const why = isOutOfMemory(cause) ? null : await lossBehind(training);
    training.dispose();
    throw why ?? cause;
  }
}

/** Runs the warm start, if there is one; returns to the event loop after each step. */
async function warmUp(
  training: Training,
  { detail, onImitation, unwanted = () => false }: Pick<OpeningOptions, 'detail' | 'onImitation' | 'unwanted'>,
): Promise<void> {
  while (!unwanted()) {
    const progress = await training.warmUp();
    const { done, total } = progress;
    if (total > 0) onImitation?.(progress);
    if (done >= total) return;
    detail(`warm start, ${done} of ${total} supervised updates`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Machine of a training from its next update on. */
export function machineOf({ training, chosen, halvings }: OpenedRun): MachineEntry {
  return {
    update: training.finished,
    backend: chosen.kind,
    ...(halvings === 0 ? {} : { parts: training.microbatches }),
    code: codeHere(chosen.kind),
  };
}

/** Words for the person when a plan had to be made smaller. */
export function smallerPlanWords({ microbatches }: Training): string {
  return `There was too little memory free, so each batch is cut into ${microbatches} parts. The numbers are the same, the speed may not be.`;
}
