/** Parts of one run, read from their folders and put together. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { openWorldsOf } from '../../experiment/ownWorld';
import { LabError } from '../../foundation/errors';
import { brokenMembers } from '../../rl/measure/nonFinite';
import { buildResult, type RunResult } from '../../train/result/result';
import { encodeCheckpoint } from '../../train/run/keep/checkpoint';
import { LAB } from '../commands';
import { usage } from '../errors';
import { resultPieces } from '../run/resultText';
import { type RunFolder, readRun } from '../run/runFolder';
import { agreementOf, codeRemarks, type FinishedShard } from './agreement';
import { joinShards } from './joined';

/** Fields of a part's result.json that a merge needs. */
const ResultSchema = v.object({ adapter: v.string(), wallSeconds: v.number() });

/** Reads and checks the parts of a run. Returns a function that writes the merged run into an open folder. */
export async function mergeRuns(
  folders: readonly string[],
  mixed: boolean,
): Promise<(folder: RunFolder, force: boolean) => Promise<RunResult>> {
  const parts = await Promise.all(folders.map(readPart));
  const whole = joinShards(agreementOf(parts, mixed));
  for (const remark of codeRemarks(parts)) process.stderr.write(`${remark}\n`);
  return async (folder, force) => {
    if (force) await folder.clear();
    const { checkpoint } = whole;
    const broken = new Set(parts.flatMap((part) => part.broken.map((index) => whole.indices.get(part)?.[index] ?? -1)));
    const result = buildResult(whole.run, whole.members, whole.curves, broken);
    if (checkpoint === null) {
      process.stderr.write(
        'The shards are of different backends or numerics, so there is no checkpoint of the whole.\n',
      );
    } else await folder.saveCheckpoint(encodeCheckpoint(checkpoint));
    await folder.saveResult(resultPieces(result));
    return result;
  };
}

async function readPart(folder: string): Promise<FinishedShard> {
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
    throw usage(what, `Continue it: ${LAB} run --resume ${folder}`);
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
    const advice = `Let the run write it: ${LAB} run --resume ${folder}`;
    throw usage(`${path} cannot be read as a result.`, advice, { cause });
  }
}
