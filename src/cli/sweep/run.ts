/**
 * `lab run --sweep` of what one population cannot differ in: a run for every cell, one after the other, each in its own folder.
 * Cells that are done are not run again, one that was begun goes on from its checkpoint.
 */
import { join } from 'node:path';
import { estimateSeconds } from '../../experiment/duration';
import type { Cell } from '../../experiment/grid/cells';
import { sweepPicture } from '../../experiment/grid/picture';
import { encodeLink } from '../../experiment/link/link';
import { LabError } from '../../foundation/errors';
import { createEnvironment } from '../../train/population/shape';
import { LAB } from '../commands';
import { diskError, makeFolders, nodeDisk, replaceFile } from '../disk';
import { asRunError } from '../errors';
import { print, untilFlushed } from '../output';
import { lockFolder } from '../run/folderLock';
import { DIVERGED, FAILED, INTERRUPTED, runCommand } from '../run/run';
import { planRun, type RunPlan } from '../run/runArguments';
import { RunFolder } from '../run/runFolder';
import { takeFolder } from '../run/takeFolder';
import { cellFolder, clearSweep, TABLES, writePlan } from './folder';
import type { SweepPlan } from './plan';
import { readCell, type SweepResult, type SweptCell, sweepResult } from './result';
import { sweepTable } from './tables';

/** Trains the rest of a sweep, writes its tables and prints them. Returns the exit code. */
export async function sweepCommand(planned: SweepPlan): Promise<number> {
  const { folder, plan, isResumed, force, json } = planned;
  await makeFolders(nodeDisk, folder).catch((cause) => {
    throw diskError(folder, cause);
  });
  const lock = await lockFolder(nodeDisk, folder);
  try {
    if (force) await clearSweep(folder);
    const { axes: _, cells, ...record } = plan;
    if (!isResumed) await writePlan(folder, record);
    const code = await trainAll(planned);
    if (code !== 0) return code;
    const done = await Promise.all(cells.map((cell) => readCell(folder, cell)));
    const result = sweepResult(plan, done as SweptCell[]);
    await writeTables(folder, result);
    print(json ? `${JSON.stringify(result)}\n` : sweepTable(result));
    await untilFlushed();
    process.stderr.write(`Kept in ${folder}: ${Object.values(TABLES).join(', ')}, and a run for each cell.\n`);
    return result.cells.some(({ diverged }) => diverged) ? DIVERGED : 0;
  } finally {
    await lock.release().catch(() => {});
  }
}

export async function writeTables(folder: string, result: SweepResult): Promise<void> {
  const files = {
    [TABLES.json]: JSON.stringify(result, null, 2),
    [TABLES.text]: sweepTable(result),
    [TABLES.picture]: sweepPicture(result),
  };
  for (const [name, text] of Object.entries(files)) {
    await replaceFile(nodeDisk, join(folder, name), text).catch((cause) => {
      throw diskError(join(folder, name), cause);
    });
  }
}

/** Exit code: 0 once all cells are done. */
async function trainAll(planned: SweepPlan): Promise<number> {
  const { folder, plan } = planned;
  const { cells } = plan;
  const finished = await Promise.all(cells.map((cell) => readCell(folder, cell)));
  const costs = cells.map(({ experiment }) => estimateSeconds(experiment, createEnvironment(experiment)));
  const began = performance.now();
  let [trained, backend] = [0, finished.find((cell) => cell !== null)?.backend ?? plan.backend];
  for (const cell of cells) {
    if (finished[cell.index] !== null) continue;
    const left = costs.reduce((sum, cost, index) => sum + (finished[index] === null ? cost : 0), 0);
    const pace = trained === 0 ? null : (performance.now() - began) / 1000 / trained;
    const time = pace === null ? '' : ` · about ${minutes(pace * left)} left in all`;
    process.stderr.write(`Cell ${cell.index + 1} of ${cells.length}: ${cell.name}${time}\n`);
    const code = await trainCell(planned, cell, backend);
    if (code === INTERRUPTED || code === FAILED) return stoppedWith(code, folder, finished);
    const result = await readCell(folder, cell);
    if (result === null) {
      const what = `The run of ${cell.name} is done, but its result cannot be read from ${cellFolder(folder, cell)}.`;
      throw new LabError('storage', what, `Try again: ${resume(folder)}`);
    }
    finished[cell.index] = result;
    trained += costs[cell.index] as number;
    // One sweep, one backend: another would be another difference between its cells.
    backend = result.backend;
  }
  return 0;
}

function stoppedWith(code: number, folder: string, finished: readonly (SweptCell | null)[]): number {
  const done = finished.filter((cell) => cell !== null).length;
  process.stderr.write(`${done} of ${finished.length} cells are done. The sweep goes on with: ${resume(folder)}\n`);
  return code;
}

const resume = (folder: string): string => `${LAB} run --resume ${folder}`;

const minutes = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;

async function trainCell(planned: SweepPlan, cell: Cell, backend: string): Promise<number> {
  try {
    const run = await planCell(planned, cell, backend);
    // Without lines of its own: the sweep ends with a table of all cells.
    return await runCommand(run, await takeFolder(run), null);
  } catch (cause) {
    const { code, what, advice } = asRunError(cause);
    throw new LabError(code, `${cell.name}: ${what}`, `${advice} The sweep goes on with: ${resume(planned.folder)}`, {
      cause,
    });
  }
}

async function planCell(planned: SweepPlan, cell: Cell, backend: string): Promise<RunPlan> {
  const { folder, plan, workers, policies, anyNumerics } = planned;
  const { seeds, shard, probe } = plan;
  const out = cellFolder(folder, cell);
  const shared = { workers, policy: policies, probe, json: false };
  const target = RunFolder.at(out);
  const files = await target.runFiles();
  await target.close();
  if (files.some((name) => name.startsWith('checkpoint'))) {
    return planRun(undefined, { ...shared, resume: out, 'other-numerics': anyNumerics });
  }
  // A result without a checkpoint is that of a run which was cut off before anything else could be kept.
  return planRun(`#${encodeLink(cell.experiment)}`, { ...shared, seeds, shard, backend, out, force: true });
}
