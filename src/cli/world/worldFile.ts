/** A user's world out of a file, on the command line. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { openWorlds } from '../../environments/own/here';
import { LONGEST_WORLD } from '../../environments/own/own';
import { worldOfPrompts } from '../../environments/own/text/prompts';
import type { Experiment } from '../../experiment/experiment';
import { withWorld } from '../../experiment/ownWorld';
import { parseExperiment } from '../../experiment/parse';
import { LabError } from '../../foundation/errors';

/**
 * `--world FILE`, or `--world @NAME`: a function that puts an experiment into this world. The sandbox is open then.
 * Throws LabError that names the file.
 */
export async function worldArgument(path: string): Promise<(experiment: Experiment) => Experiment> {
  const text = await openWorldFile(path);
  return (experiment) => {
    try {
      return parseExperiment(withWorld(experiment, text));
    } catch (cause) {
      if (!(cause instanceof LabError)) throw cause;
      throw new LabError(cause.code, `${path}: ${cause.what}`, cause.advice, { cause });
    }
  };
}

/** Text of a file's world, or the name of one that comes with the lab (`@bandit`); the sandbox is open then. */
export async function openWorldFile(path: string): Promise<string> {
  const text = path.startsWith('@') ? path : await readWorldFile(path);
  await openWorlds();
  return text;
}

export async function readWorldFile(path: string | undefined): Promise<string> {
  const advice = 'Name a file that holds a world (docs/worlds.md).';
  if (path === undefined) throw new LabError('invalid-world', 'No world was named.', advice);
  if (path.startsWith('@')) throw new LabError('invalid-world', `${path} comes with the lab and is no file.`, advice);
  try {
    const { size } = await stat(path);
    if (size > 4 * LONGEST_WORLD) throw new LabError('invalid-world', `${path} is too large for a world.`, advice);
    const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
    return path.endsWith('.jsonl') ? worldOfPrompts(text, basename(path)) : text;
  } catch (cause) {
    if (cause instanceof LabError) throw cause;
    throw new LabError('invalid-world', `${path} cannot be read.`, advice, { cause });
  }
}
