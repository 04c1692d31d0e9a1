/**
 * `npm run -s lab -- …`: the engine without a page. Reads the arguments, calls the command, turns errors into one line
 * and an exit code. stdout carries results only; progress and messages go to stderr.
 */
import { LabError } from '../foundation/errors';
import { untilFlushed } from './output';
import { lineOf, understand } from './understand';

/** Prints an error as one line. Returns `exitCode`, or 1 for a fault of the lab itself. */
function explain(cause: unknown, exitCode: number): number {
  process.stderr.write(lineOf(cause));
  if (process.env.UNMASK_TRACE === '1') console.error(cause);
  return cause instanceof LabError ? exitCode : 1;
}

/** Exit code of a command. `entry`: module that threads and servers begin with. */
export async function carryOut(args: string[], entry: URL): Promise<number> {
  let action: Awaited<ReturnType<typeof understand>>;
  try {
    action = await understand(args, entry);
  } catch (cause) {
    return explain(cause, 2);
  }
  try {
    const exitCode = await action();
    await untilFlushed();
    return exitCode;
  } catch (cause) {
    return explain(cause, 1);
  }
}
