/** `lab merge`: the shards of a run as one run, equal bit for bit to what one machine would have given. */
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { openWorldsOf } from '../../experiment/ownWorld';
import { LabError } from '../../foundation/errors';
import { brokenMembers } from '../../rl/nonFinite';
import { encodeCheckpoint } from '../../train/run/checkpoint';
import { usage } from '../errors';
import { flushed, printPieces } from '../output';
import { buildResult, type RunResult } from '../result';
import { resultPieces } from '../resultText';
import { RunFolder, readRun } from '../runFolder';
import { printTables } from '../tables';
import { refuseRun } from '../takeFolder';
import { agreed, type Part } from './agreement';
import { joined } from './joined';

export interface MergeArguments {
  out?: string | undefined;
  force?: boolean | undefined;
  mixed?: boolean | undefined;
  json: boolean;
}

/** Fields of a part's result.json that a merge needs. */
const ResultSchema = v.object({ adapter: v.string(), wallSeconds: v.number() });

/** Reads and checks the parts. Returns a function that writes the merged run and gives the exit code. */
export async function mergeCommand(
  given: readonly string[],
  { out, force = false, mixed = false, json }: MergeArguments,
): Promise<() => Promise<number>> {
  if (out === undefined) throw usage('No folder was named for the merged run.', 'Add --out DIR.');
  const folders = await withoutTarget(given, out);
  if (folders.length === 0) throw usage('No folder was named.', 'Name those that lab run --shard wrote.');
  const parts = await Promise.all(folders.map(readPart));
  const whole = joined(agreed(parts, mixed));
  const folder = RunFolder.at(out);
  await folder.open();
  try {
    if (!force) await refuseRun(folder, out, 'Choose another folder, or let the merged run replace it with --force.');
  } catch (cause) {
    await folder.close();
    throw cause;
  }
  return async () => {
    try {
      if (force) await folder.clear();
      const { checkpoint } = whole;
      const broken = new Set(
        parts.flatMap((part) => part.broken.map((index) => whole.indices.get(part)?.[index] ?? -1)),
      );
      const result = buildResult(whole.run, whole.members, whole.curves, broken);
      if (checkpoint === null) {
        process.stderr.write('The shards are of different backends, so there is no checkpoint of the whole.\n');
      } else await folder.saveCheckpoint(encodeCheckpoint(checkpoint));
      await folder.saveResult(resultPieces(result));
      await say(result, json);
      await flushed();
      return 0;
    } finally {
      await folder.close();
    }
  };
}

async function say(result: RunResult, json: boolean): Promise<void> {
  if (json) await printPieces(resultPieces(result));
  else printTables(result);
}

/** The folders, without the one to be written: `R/*` names the merged run too where there is one already. */
async function withoutTarget(folders: readonly string[], out: string): Promise<string[]> {
  const place = (path: string): Promise<string> => realpath(path).catch(() => path);
  const target = await place(out);
  const places = await Promise.all(folders.map(place));
  return folders.filter((_, i) => places[i] !== target);
}

async function readPart(folder: string): Promise<Part> {
  const { checkpoint, isNewest, remarks } = await readRun(folder).catch((cause: unknown) => {
    if (!(cause instanceof LabError) || cause.what.includes(folder)) throw cause;
    throw new LabError(cause.code, `${folder}: ${cause.what}`, cause.advice, { cause });
  });
  for (const remark of remarks) process.stderr.write(`${folder}: ${remark}\n`);
  const { snapshot, experiment } = checkpoint;
  await openWorldsOf(experiment);
  const finished = Number(experiment.updates);
  if (snapshot.update < finished || !isNewest) {
    const what = `The run in ${folder} has finished ${snapshot.update} of ${finished} updates.`;
    throw usage(what, `Continue it: npm run -s lab -- run --resume ${folder}`);
  }
  const { adapter, wallSeconds } = await readResult(folder);
  const arms = (experiment.arms ?? []) as Parameters<typeof brokenMembers>[0]['arms'];
  const broken = [...brokenMembers({ arms }, snapshot.members, snapshot.tensors.parameters)];
  return { folder, checkpoint, adapter, wallSeconds, broken };
}

async function readResult(folder: string): Promise<v.InferOutput<typeof ResultSchema>> {
  const path = join(folder, 'result.json');
  try {
    return v.parse(ResultSchema, JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const advice = `Let the run write it: npm run -s lab -- run --resume ${folder}`;
    throw usage(`${path} cannot be read as a result.`, advice, { cause });
  }
}
