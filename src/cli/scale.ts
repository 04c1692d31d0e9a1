/** `lab scale`: an arm of an experiment as a folder for a trainer of language models. */
import { join } from 'node:path';
import { isFixed } from '../experiment/arm/policyFiles';
import { scaleFolder } from '../experiment/scale/folder';
import { TRAINERS } from '../experiment/scale/trainers';
import { codeOf, diskError, makeFolders, nodeDisk, replaceFile } from './disk';
import { usage } from './errors';
import { readExperiment } from './experimentArgument';
import { guardOutput, namedFiles } from './guardOutput';
import { lossSettings } from './loss/lossFiles';
import { print } from './output';
import { worldArgument } from './world/worldFile';

export interface ScaleArguments {
  to?: string | undefined;
  arm?: string | undefined;
  out?: string | undefined;
  set?: string[] | undefined;
  loss?: string[] | undefined;
  world?: string | undefined;
  force?: boolean | undefined;
  json: boolean;
}

/** Checks the arguments. Returns a function that writes the folder and gives the exit code. */
export async function scaleCommand(subject: string | undefined, flags: ScaleArguments): Promise<() => Promise<number>> {
  const { to, out, set = [], loss = [], world, force = false, json } = flags;
  const trainer = TRAINERS.find(({ id }) => id === to);
  if (trainer === undefined) {
    const known = TRAINERS.map(({ id }) => id).join(', ');
    throw usage(`--to ${to ?? ''} names no trainer.`, `Choose one of: ${known}.`);
  }
  if (out === undefined) throw usage('No folder was named.', 'Add --out DIR.');
  const sets = [...(await lossSettings(loss)), ...set];
  const experiment = await readExperiment(subject, sets, world === undefined ? undefined : await worldArgument(world));
  const learning = experiment.arms.filter((arm) => !isFixed(arm));
  const arm =
    flags.arm === undefined && learning.length === 1 ? learning[0] : learning.find(({ id }) => id === flags.arm);
  if (arm === undefined) {
    const what = flags.arm === undefined ? 'No arm was named.' : `No arm that learns is called “${flags.arm}”.`;
    throw usage(what, `Add --arm and one of: ${learning.map(({ id }) => id).join(', ')}.`);
  }
  const files = scaleFolder(trainer, experiment, arm);
  if (!force) await refuseFull(out, [...files.keys()]);
  const inputs = namedFiles(subject, flags);
  for (const name of files.keys()) await guardOutput(join(out, name), inputs, null);
  return async () => {
    try {
      await makeFolders(nodeDisk, out);
      for (const [name, text] of files) await replaceFile(nodeDisk, join(out, name), text);
    } catch (cause) {
      throw diskError(out, cause);
    }
    if (json) print(`${JSON.stringify({ folder: out, trainer: trainer.id, arm: arm.id, files: [...files.keys()] })}\n`);
    else print(`${[...files.keys()].map((name) => join(out, name)).join('\n')}\n`);
    return 0;
  };
}

async function refuseFull(out: string, names: readonly string[]): Promise<void> {
  const there = await nodeDisk.list(out).catch((cause: unknown): string[] => {
    if (codeOf(cause) === 'ENOENT') return [];
    throw diskError(out, cause);
  });
  const present = names.find((name) => there.includes(name));
  if (present !== undefined)
    throw usage(`There is a ${present} in ${out} already.`, 'Choose another folder, or replace it with --force.');
}
