/**
 * Validated experiment of a command-line argument: the name of a preset, a JSON file of an experiment or a result, or a
 * link (a URL or its fragment), with `--set path=value` applied.
 */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Experiment } from '../experiment/experiment';
import { fragmentOfJson, namedFragment, settledExperiment, unknownSubject } from '../experiment/link/subject';
import { LabError } from '../foundation/errors';

/** Experiment of an argument. `part` reduces it before settings are changed. */
export async function readExperiment(
  subject: string | undefined,
  sets: readonly string[],
  part?: (experiment: Experiment) => Experiment,
): Promise<Experiment> {
  return settledExperiment(await readFragment(subject), sets, part);
}

async function readFragment(subject: string | undefined): Promise<string> {
  if (subject === undefined) {
    throw new LabError('invalid-experiment', 'No experiment was named.', 'Name a preset, a JSON file or a link.');
  }
  const named = namedFragment(subject);
  if (named !== null) return named;
  const place = statSync(subject, { throwIfNoEntry: false });
  if (place?.isDirectory()) {
    const advice = `Name an experiment file, or continue the run that was left there with --resume ${subject}.`;
    throw new LabError('invalid-experiment', `${subject} is a folder.`, advice);
  }
  if (place !== undefined) return fragmentOfJson(await readJson(subject));
  throw unknownSubject(subject, 'neither a preset, nor a file, nor a link');
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const what = cause instanceof SyntaxError ? `${path} is not JSON.` : `${path} cannot be read.`;
    throw new LabError('invalid-experiment', what, 'Choose an experiment file.', { cause });
  }
}
