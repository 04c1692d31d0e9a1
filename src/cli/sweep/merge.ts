/** The shards of a sweep as one sweep: its cells are merged one by one, as shards of runs are, and the table is made again. */
import { diskError, makeFolders, nodeDisk } from '../disk';
import { usage } from '../errors';
import { print, untilFlushed } from '../output';
import { RunFolder } from '../run/runFolder';
import { mergeRuns } from '../shards/parts';
import { cellFolder, clearSweep, readPlan, writePlan } from './folder';
import { readCell, type SweptCell, sweepResult } from './result';
import { writeTables } from './run';
import { sweepTable } from './tables';

/** Merge of folders that all hold sweeps; null where none does. Throws LabError where only some do, or they are of several. */
export async function planSweepMerge(
  folders: readonly string[],
  out: string,
  { force, mixed, json, csv }: Readonly<Record<'force' | 'mixed' | 'json' | 'csv', boolean>>,
): Promise<(() => Promise<number>) | null> {
  const plans = await Promise.all(folders.map(readPlan));
  const [first] = plans.filter((plan) => plan !== null);
  if (first === undefined) return null;
  if (csv)
    throw usage('--csv is of one run, and these are of a sweep.', 'Leave it out, or merge the shards of a cell.');
  const stranger = plans.findIndex((plan) => plan?.link !== first.link || plan?.seeds !== first.seeds);
  if (stranger >= 0) throw usage(`${folders[stranger]} is not of the same sweep.`, 'Merge the shards of one sweep.');
  if (!force && (await readPlan(out)) !== null) {
    throw usage(`There is a sweep in ${out} already.`, 'Choose another folder, or let it be replaced with --force.');
  }
  const { axes: _, cells, shard: __, ...record } = first;
  const parts = (cell: (typeof cells)[number]): string[] => folders.map((folder) => cellFolder(folder, cell));
  // All are read once before anything is written; each again when it is its turn, since together they may be large.
  for (const cell of cells) await mergeRuns(parts(cell), mixed);
  return async () => {
    await makeFolders(nodeDisk, out).catch((cause) => {
      throw diskError(out, cause);
    });
    await clearSweep(out);
    for (const cell of cells) {
      const write = await mergeRuns(parts(cell), mixed);
      const folder = RunFolder.at(cellFolder(out, cell));
      await folder.open();
      await write(folder, true).finally(() => folder.close());
    }
    await writePlan(out, record);
    const done = await Promise.all(cells.map((cell) => readCell(out, cell)));
    const result = sweepResult({ ...record, axes: first.axes, cells }, done as SweptCell[]);
    await writeTables(out, result);
    print(json ? `${JSON.stringify(result)}\n` : sweepTable(result));
    await untilFlushed();
    return 0;
  };
}
