/** `lab merge`: the shards of a run, or of a sweep, as one, equal bit for bit to what one machine would have given. */
import { realpath } from 'node:fs/promises';
import { usage } from '../errors';
import { openedModel } from '../model/opened';
import { untilFlushed } from '../output';
import { RunFolder } from '../run/runFolder';
import { printResult } from '../run/tables';
import { refuseRun } from '../run/takeFolder';
import { planSweepMerge } from '../sweep/merge';
import { mergeRuns } from './parts';

export interface MergeArguments {
  out?: string | undefined;
  force?: boolean | undefined;
  mixed?: boolean | undefined;
  model?: string | undefined;
  csv?: boolean | undefined;
  json: boolean;
}

/** Reads and checks the parts. Returns a function that writes the merged run and gives the exit code. */
export async function mergeCommand(
  shards: readonly string[],
  { out, force = false, mixed = false, model, json, csv = false }: MergeArguments,
): Promise<() => Promise<number>> {
  if (out === undefined) throw usage('No folder was named for the merged run.', 'Add --out DIR.');
  await openedModel(model);
  const folders = await withoutTarget(shards, out);
  if (folders.length === 0) throw usage('No folder was named.', 'Name those that lab run --shard wrote.');
  const sweep = await planSweepMerge(folders, out, { force, mixed, json, csv });
  if (sweep !== null) return sweep;
  const write = await mergeRuns(folders, mixed);
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
      await printResult(await write(folder, force), { json, csv });
      await untilFlushed();
      return 0;
    } finally {
      await folder.close();
    }
  };
}

/** The folders, without the one to be written: `R/*` names the merged run too where there is one already. */
async function withoutTarget(folders: readonly string[], out: string): Promise<string[]> {
  const place = (path: string): Promise<string> => realpath(path).catch(() => path);
  const target = await place(out);
  const places = await Promise.all(folders.map(place));
  return folders.filter((_, i) => places[i] !== target);
}
