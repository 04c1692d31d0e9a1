/** `lab run`: one run, or a sweep over several. */
import { runCommand } from '../run/run';
import { planRun, type RunArguments } from '../run/runArguments';
import { takeFolder } from '../run/takeFolder';
import { planSweep } from './plan';
import { sweepCommand } from './run';

/** Checks the arguments and opens the folder. Returns a function that trains and gives the exit code. */
export async function beginRun(subject: string | undefined, options: RunArguments): Promise<() => Promise<number>> {
  const sweep = await planSweep(subject, options);
  if (sweep !== null) return () => sweepCommand(sweep);
  const plan = await planRun(subject, options);
  const folder = await takeFolder(plan);
  return () => runCommand(plan, folder);
}
