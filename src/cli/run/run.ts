/** `lab run`: trains an experiment to its end, or until Ctrl-C, and prints the result. */
import { remote } from '../../environments/remote';
import { recordMachine } from '../../experiment/machines';
import { findModel } from '../../experiment/models';
import { isOfOwnWorld } from '../../experiment/ownWorld';
import { codeHere, codeInWords } from '../../experiment/provenance';
import { LabError } from '../../foundation/errors';
import { chooseNodeBackend } from '../../node/backend';
import { machineBytes } from '../../node/memory';
import { threadPool } from '../../node/poolThread';
import { withReading } from '../../rl/measure/warmStartReadings';
import { parameterPlaces } from '../../train/population/shape';
import type { Snapshot } from '../../train/population/training';
import type { RunResult } from '../../train/result/result';
import type { ChosenBackend } from '../../train/run/choose/backends';
import { machineOf, openTraining, smallerPlanWords } from '../../train/run/choose/opening';
import { lackOf, memoryOf, memoryWords } from '../../train/run/memory';
import { asRunError, resumeCommand } from '../errors';
import { styled, untilFlushed } from '../output';
import { shardInWords } from '../shards/members';
import { Drive } from './drive';
import { keptLines } from './kept';
import type { RunPlan } from './runArguments';
import type { RunFolder } from './runFolder';
import { nonFiniteLines, printResult } from './tables';
import { EventFiles } from './tensorboard';
import { writeTrajectories } from './trajectories';

export const FAILED = 1;
export const INTERRUPTED = 130;
/** Exit code of a run that is done, with a policy that no longer trains. */
export const DIVERGED = 3;

/** Prints a result, or does something else with it. */
type Tell = (result: RunResult) => Promise<void> | void;

/**
 * Carries out a plan in a folder, and closes the folder. `tell`: called with the result; null where the caller tells of it, as a
 * sweep does of its runs. Returns the exit code.
 */
export async function runCommand(
  plan: RunPlan,
  folder: RunFolder,
  tell: Tell | null = (result) => printResult(result, plan),
): Promise<number> {
  try {
    return await trainIn(folder, plan, tell);
  } finally {
    await folder.close();
  }
}

async function trainIn(folder: RunFolder, plan: RunPlan, tell: Tell | null): Promise<number> {
  const { experiment } = plan;
  const saved = plan.saved?.checkpoint ?? null;
  for (const remark of plan.saved?.remarks ?? []) process.stderr.write(`${remark}\n`);
  let warmStart = saved?.warmStart ?? [];
  // A run that lost its device goes on with the backend that it began on.
  let { backend: choice } = plan;
  const open = (snapshot: Snapshot | null) =>
    openTraining(experiment, {
      choose: (task) => chooseNodeBackend(choice, pool(plan), task),
      members: { members: plan.members },
      policies: plan.policies,
      snapshot,
      detail: sayPreparing,
      onChosen: (chosen) => tellMemory(chosen, plan),
      onImitation: ({ readings = [] }) => {
        warmStart = readings.reduce(withReading, warmStart);
      },
    });
  const opened = await open(saved?.snapshot ?? null);
  sayPreparing('');
  const { chosen } = opened;
  choice = chosen.kind;
  let { training } = opened;
  if (plan.shard !== null) process.stderr.write(`${shardInWords(plan.shard, plan.members)}\n`);
  process.stderr.write(`Runs on ${chosen.description}: ${chosen.reason}.\n`);
  process.stderr.write(`Unmask ${codeInWords(codeHere(chosen.kind))}.\n`);
  for (const [arm, runtime] of Object.entries(opened.runtimes)) {
    process.stderr.write(`Arm ${arm} is a fixed policy, run by ${runtime}.\n`);
  }
  if (opened.halvings > 0) process.stderr.write(`${smallerPlanWords(training)}\n`);
  let events: EventFiles | null = null;
  try {
    if (plan.tensorboard !== null) {
      const { tensorboard, members } = plan;
      events = new EventFiles(tensorboard, experiment, members, training.finished, saved?.curves ?? new Float32Array());
    }
    const machines = recordMachine(saved?.machines ?? [], machineOf(opened));
    const { kind: backend, adapter } = chosen;
    const drive = new Drive(training, {
      experiment,
      backend,
      adapter,
      machines,
      shard: plan.shard,
      layout: parameterPlaces(experiment),
      saved,
      warmStart,
      folder,
      probeEvery: plan.probeEvery,
      events,
      reopen: async (snapshot) => {
        ({ training } = await open(snapshot));
        sayPreparing('');
        return training;
      },
    });
    // The old run is removed only now, when the new one is ready to begin.
    if (plan.force) await folder.clear();
    const complete = await stoppable(drive, folder);
    const failures = [...(await finish(drive, folder, tell)), ...(events?.failure ? [events.failure] : [])];
    if (plan.trajectories !== null) {
      await writeTrajectories(plan.trajectories, training, experiment).catch((cause) =>
        failures.push(asRunError(cause)),
      );
    }
    for (const message of new Set(failures.map((failure) => failure.message))) process.stderr.write(`${message}\n`);
    if (failures.length > 0) return FAILED;
    if (!complete) process.stderr.write(`Stopped early. Continue with: ${resumeCommand(folder)}\n`);
    if (!complete) return INTERRUPTED;
    const result = drive.result();
    const [place = '', ...next] = tell === null ? [] : await keptLines(folder, result);
    if (place !== '') process.stderr.write(`${[styled('bold', place), ...next].join('\n')}\n`);
    return nonFiniteLines(result).length > 0 ? DIVERGED : 0;
  } finally {
    // Threads that still run would keep the process alive.
    training.dispose();
    events?.close();
  }
}

/** Saves and tells the result; one is done even if the other fails. Returns the failures. */
async function finish(drive: Drive, folder: RunFolder, tell: Tell | null): Promise<readonly LabError[]> {
  await drive.saveResult();
  await tell?.(drive.result());
  try {
    await untilFlushed();
  } catch (cause) {
    const advice = folder.hasResult ? [`The result is in ${folder.path}/result.json.`] : [];
    return [...drive.unsaved, withAdvice(asRunError(cause), advice)];
  }
  return drive.unsaved;
}

function withAdvice({ code, what, advice }: LabError, more: readonly string[]): LabError {
  return new LabError(code, what, [...more, advice].join(' '));
}

/** Tells the memory that a run of a language model takes. Throws LabError where this machine has less. */
function tellMemory(chosen: ChosenBackend, { experiment, members }: RunPlan): void {
  if (findModel(experiment.policy.model) === undefined) return;
  const memory = memoryOf(chosen, experiment, { members });
  // The opening of the run says why there is no memory.
  if (memory === null) return;
  process.stderr.write(`${memoryWords(memory)}\n`);
  const lack = lackOf(memory, machineBytes());
  if (lack === null) return;
  chosen.release();
  throw lack;
}

/** Tells on a terminal, in one line that is written over, the work before the first update. */
function sayPreparing(text: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`\r\x1b[K${text}`);
}

function pool({ experiment, members, workers }: RunPlan) {
  // A remote world's connections belong to one thread.
  const isRemote = experiment.environment.id === remote.id;
  const pool = threadPool(members.length, isRemote ? 1 : workers, new URL(import.meta.url));
  // A call of somebody's world that has no end is ended with its thread.
  return { ...pool, isApart: isOfOwnWorld(experiment.environment) };
}

/** Drives until the end or the first signal; a second one ends the process, a third even where its disk hangs. */
async function stoppable(drive: Drive, folder: RunFolder): Promise<boolean> {
  let signalled = false;
  const stop = (): void => {
    if (signalled) {
      listen('off');
      void folder.close().finally(() => process.exit(INTERRUPTED));
      return;
    }
    signalled = true;
    drive.stop();
  };
  // SIGHUP: the terminal was closed.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const listen = (how: 'on' | 'off'): void => {
    for (const signal of signals) process[how](signal, stop);
  };
  listen('on');
  try {
    return await drive.run();
  } finally {
    listen('off');
  }
}
