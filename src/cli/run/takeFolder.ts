/** Opens the folder of a run before anything is computed. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { tryOutput } from '../disk';
import { usage } from '../errors';
import { guardOutput } from '../guardOutput';
import type { RunPlan } from './runArguments';
import { RunFolder, readRun, runFilesIn } from './runFolder';
import { takeEventFolders } from './tensorboard';
import { TRAJECTORIES } from './trajectories';

/**
 * Opens the planned folder. Throws LabError and changes nothing if the folder cannot be written, if another process writes
 * to it, or if there is a run in it that this one may not replace.
 */
export async function takeFolder(plan: RunPlan): Promise<RunFolder> {
  const { experiment, directory, trajectories, tensorboard, inputs } = plan;
  // A file that cannot be written must fail now, not after an hour of training.
  if (trajectories !== null) {
    await guardOutput(trajectories, [...inputs, ...(directory === null ? [] : runFilesIn(directory))], TRAJECTORIES);
    await tryOutput(trajectories);
  }
  const takeEvents = async (): Promise<void> => {
    if (tensorboard !== null) await takeEventFolders(tensorboard, experiment, plan.members, plan.saved !== null);
  };
  if (directory === null) {
    await takeEvents();
    return RunFolder.free(join(process.env.UNMASK_RUNS ?? 'lab-runs', `${experiment.preset}-${experiment.seed}`));
  }
  const folder = RunFolder.at(directory);
  await folder.open();
  try {
    await agreeOn(folder, plan);
    await takeEvents();
    return folder;
  } catch (cause) {
    await folder.close();
    throw cause;
  }
}

async function agreeOn(folder: RunFolder, { directory, resumed, saved, force, inputs }: RunPlan): Promise<void> {
  if (saved !== null && resumed !== null && (await isSame(resumed, directory as string))) {
    // The plan read it before the folder was locked.
    const { checkpoint, isNewest } = await readRun(resumed);
    if (force) throw usage('A run that is resumed where it lies replaces none.', 'Leave --force out.');
    if (checkpoint.snapshot.update !== saved.checkpoint.snapshot.update) {
      throw usage(`Another process went on with the run in ${resumed} at this very moment.`, 'Try again.');
    }
    if (isNewest) folder.trust();
    return;
  }
  if (force) {
    for (const file of runFilesIn(directory as string)) await guardOutput(file, inputs, null);
    return;
  }
  const advice = `Continue it with --resume ${directory}, choose another folder, or let this run replace it with --force.`;
  await refuseRun(folder, directory as string, advice);
}

/** Throws LabError if there is a run in an open folder. */
export async function refuseRun(folder: RunFolder, path: string, advice: string): Promise<void> {
  const [file] = await folder.runFiles();
  if (file !== undefined) throw usage(`There is a run in ${path} already: it has a ${file}.`, advice);
}

const isSame = async (a: string, b: string): Promise<boolean> => (await realpath(a)) === (await realpath(b));
