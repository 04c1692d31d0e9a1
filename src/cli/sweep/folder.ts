/**
 * Folder of a sweep: its plan, a run's folder for each cell, and in the end the table. What is done is told by the runs
 * themselves, so that nothing has to be kept in step with them.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Axis, readAxes } from '../../experiment/grid/axes';
import { type Cell, cellsOf } from '../../experiment/grid/cells';
import { decodeRunLink } from '../../experiment/link/link';
import { openWorldsOf } from '../../experiment/ownWorld';
import { codeOf, diskError, nodeDisk, replaceFile } from '../disk';
import { usage } from '../errors';
import { RunFolder } from '../run/runFolder';

const PLAN = 'sweep-plan.json';
const CELLS = 'cells';
/** Files that a sweep leaves at its end. */
export const TABLES = { json: 'sweep.json', text: 'sweep.txt', picture: 'sweep.svg' } as const;

const PlanSchema = v.object({
  version: v.literal(1),
  /** Fragment of the link, with its sweep. */
  link: v.string(),
  /** Arguments given for every cell's run. */
  backend: v.string(),
  seeds: v.optional(v.string()),
  shard: v.optional(v.string()),
  probe: v.optional(v.string()),
});

export type WrittenPlan = v.InferOutput<typeof PlanSchema>;

export interface ReadPlan extends WrittenPlan {
  readonly axes: readonly Axis[];
  readonly cells: readonly Cell[];
}

export const planFile = (folder: string): string => join(folder, PLAN);

/** Folder of a cell's run. */
export const cellFolder = (folder: string, { index }: Pick<Cell, 'index'>): string =>
  join(folder, CELLS, String(index + 1).padStart(3, '0'));

/** Plan in a folder; null where no sweep is. Throws LabError where it cannot be read. */
export async function readPlan(folder: string): Promise<ReadPlan | null> {
  let text: string;
  try {
    text = await readFile(planFile(folder), 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(cause))) return null;
    throw diskError(planFile(folder), cause);
  }
  const plan = v.safeParse(PlanSchema, parse(text));
  if (!plan.success) {
    throw usage(`${planFile(folder)} is not the plan of a sweep.`, 'Begin the sweep anew in another folder.');
  }
  await openWorldsOf(decodeRunLink(plan.output.link).experiment);
  const { experiment, sweep } = decodeRunLink(plan.output.link);
  const axes = readAxes(sweep ?? '');
  return { ...plan.output, axes, cells: cellsOf(experiment, axes) };
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export async function writePlan(folder: string, plan: WrittenPlan): Promise<void> {
  await replaceFile(nodeDisk, planFile(folder), JSON.stringify(plan, null, 2)).catch((cause) => {
    throw diskError(planFile(folder), cause);
  });
}

/** Removes the sweep in a folder: the files of its cells' runs, its tables, its plan last. */
export async function clearSweep(folder: string): Promise<void> {
  const names = await readdir(join(folder, CELLS)).catch(() => []);
  for (const name of names.filter((one) => /^\d{3}$/.test(one))) {
    const cell = RunFolder.at(join(folder, CELLS, name));
    await cell.open();
    await cell.clear();
    await cell.close();
    await nodeDisk.removeFolder(join(folder, CELLS, name)).catch(() => {});
  }
  for (const name of [...Object.values(TABLES), PLAN]) await nodeDisk.remove(join(folder, name));
}
