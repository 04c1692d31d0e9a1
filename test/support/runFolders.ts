/** Folders of runs, written and taken as `lab run` does, without its command line. */

import { Drive } from '../../src/cli/run/drive';
import { planRun, type RunArguments } from '../../src/cli/run/runArguments';
import { RunFolder } from '../../src/cli/run/runFolder';
import { takeFolder } from '../../src/cli/run/takeFolder';
import type { Experiment } from '../../src/experiment/experiment';
import { ScriptedTraining } from './scriptedTraining';

/** Leaves a run and its result in a folder, saved after every update. Throws if the run did not come to its end. */
export async function leaveRun(experiment: Experiment, path: string): Promise<void> {
  const folder = RunFolder.at(path);
  const machines = [{ update: 0, backend: 'cpu' as const }];
  const given = { experiment, backend: 'cpu' as const, adapter: 'none', machines, saved: null, folder };
  const drive = new Drive(new ScriptedTraining(experiment), { ...given, saveEverySeconds: 0 });
  if (!(await drive.run())) throw new Error(`The run in ${path} did not end.`);
  await drive.saveResult();
  await folder.close();
}

/** Takes what `lab run` writes to, and gives it back. */
export async function takeAndLeave(subject: string | undefined, given: Partial<RunArguments>): Promise<void> {
  const folder = await takeFolder(await planRun(subject, { json: true, ...given }));
  await folder.close();
}
