/** Errors of the command line, and the command that goes on with a run. */
import { versionInWords } from '../experiment/provenance';
import { LabError } from '../foundation/errors';
import { nearest } from '../foundation/nearest';
import { LAB } from './commands';
import { modelArgument } from './model/named';
import type { RunFolder } from './run/runFolder';
import { quote } from './shell';

/** Error of arguments, or of a file that they name. */
export function usage(what: string, advice: string, options?: ErrorOptions): LabError {
  return new LabError('invalid-experiment', what, advice, options);
}

/** Advice on a name that nobody knows, with the known one that was probably meant. */
export function advise(typed: string, known: Iterable<string>, advice: string): string {
  const near = nearest(typed, known);
  return near === null ? advice : `Did you mean ${near}? ${advice}`;
}

export function resumeCommand(folder: RunFolder): string {
  return `${LAB} run --resume ${quote(folder.path ?? '')}${modelArgument()}`;
}

/** Error of a disk; throws any other error on. */
export function storageFailure(cause: unknown): LabError {
  if (cause instanceof LabError && cause.code === 'storage') return cause;
  throw cause;
}

/** Any failure as a LabError with advice for the command line. */
export function asRunError(cause: unknown): LabError {
  if (cause instanceof LabError) return cause;
  const what = cause instanceof Error ? cause.message : String(cause);
  const advice = `This is a fault of the lab: please report it with what UNMASK_TRACE=1 adds. Unmask ${versionInWords()}.`;
  return new LabError('internal', what.trim(), advice, { cause });
}
