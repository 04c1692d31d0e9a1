/**
 * Faults of a disk at each operation of a run. The run trains nothing, but it saves as `lab run` does: after every update,
 * and its result at the end. What was acknowledged (a save that resolved) must be there for the next process, which then
 * reaches the end of an undisturbed run, byte for byte.
 */

import { Drive } from '../../src/cli/run/drive';
import { RunFolder, readRun, type SavedRun } from '../../src/cli/run/runFolder';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import { type FaultPlan, MemoryDisk, type Operation, SURVIVORS, type Survivors } from '../support/memoryDisk';
import { ScriptedTraining } from '../support/scriptedTraining';
import type { Fault } from './fault';

const PATH = '/runs/one';
const CHECKPOINT = `${PATH}/checkpoint.safetensors`;
const UPDATES = 4;
const experiment = parseExperiment({ ...findPreset('gridworld-tiny')?.experiment, updates: UPDATES });

interface Ending {
  /** Updates in the last checkpoint that was acknowledged; −1 if none was. */
  readonly acknowledged: number;
  readonly hasResult: boolean;
  /** Failures that the run ended with; null if it did not begin. */
  readonly unsaved: readonly LabError[] | null;
}

/** One process: goes on from what is on the disk, or begins. */
async function runOn(disk: MemoryDisk): Promise<Ending> {
  const folder = RunFolder.at(PATH, disk);
  let saved: SavedRun | null = null;
  try {
    await folder.open();
    const files = await folder.runFiles();
    if (files.some((name) => name.startsWith('checkpoint'))) saved = await readRun(PATH, disk);
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    await folder.close();
    return { acknowledged: -1, hasResult: false, unsaved: null };
  }
  if (saved?.isNewest === true) folder.trust();
  const training = new ScriptedTraining(experiment);
  if (saved !== null) await training.restore(saved.checkpoint.snapshot);
  let acknowledged = -1;
  const save = folder.saveCheckpoint.bind(folder);
  folder.saveCheckpoint = async (bytes) => {
    const { finished } = training;
    await save(bytes);
    acknowledged = finished;
  };
  const machines = [{ update: 0, backend: 'cpu' as const }];
  const checkpoint = saved?.checkpoint ?? null;
  const given = { experiment, backend: 'cpu' as const, adapter: 'none', machines, saved: checkpoint, folder };
  const drive = new Drive(training, { ...given, saveEverySeconds: 0, waits: [0, 0] });
  await drive.run();
  await drive.saveResult();
  const { hasResult } = folder;
  await folder.close();
  return { acknowledged, hasResult, unsaved: drive.unsaved };
}

/** Operations of an undisturbed run, and the checkpoint it ends with. */
let undisturbed: Promise<{ count: number; end: Uint8Array }> | null = null;

function undisturbedRun(): Promise<{ count: number; end: Uint8Array }> {
  undisturbed ??= quietly(async () => {
    const disk = new MemoryDisk();
    const { unsaved } = await runOn(disk);
    if (unsaved?.length !== 0) throw new Error('A run without faults must save all of it.');
    const { count } = disk;
    return { count, end: await disk.read(CHECKPOINT) };
  });
  return undisturbed;
}

/** Loss on a disk after a run: something acknowledged that is missing; null if nothing is. */
async function lostOn(disk: MemoryDisk, { acknowledged, hasResult }: Ending): Promise<string | null> {
  // The process that held the folder is gone.
  for (const path of disk.paths) if (path.includes('/.lock')) await disk.remove(path);
  if (hasResult) {
    const { arms } = JSON.parse(new TextDecoder().decode(await disk.read(`${PATH}/result.json`)));
    if (arms[0].seeds[0].curve.update.length !== UPDATES) return 'a part of the result';
  }
  if (acknowledged >= 0) {
    const { checkpoint } = await readRun(PATH, disk);
    const { update, tensors } = checkpoint.snapshot;
    if (update < acknowledged) return `update ${acknowledged}, which was acknowledged; ${update} is there`;
    if (tensors.parameters.some((value) => value !== update)) return 'parameters of the checkpoint';
  }
  const { unsaved } = await runOn(disk);
  if (unsaved?.length !== 0) return 'the next run could not save';
  const { end } = await undisturbedRun();
  return Buffer.compare(await disk.read(CHECKPOINT), end) === 0 ? null : 'the end is another';
}

/** Progress and messages of runs are not wanted here. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { write } = process.stderr;
  process.stderr.write = () => true;
  try {
    return await work();
  } finally {
    process.stderr.write = write;
  }
}

async function judged(plan: FaultPlan, survivors: Survivors | null): Promise<string | null> {
  return quietly(async () => {
    const disk = new MemoryDisk();
    disk.plan = plan;
    const ending = await runOn(disk);
    disk.plan = () => null;
    try {
      const drafts = disk.paths.filter((path) => path.endsWith('.draft'));
      if (survivors === null && drafts.length > 0) return `${drafts} was left half written`;
      return await lostOn(survivors === null ? disk : disk.after(survivors), ending);
    } catch (cause) {
      return `the run cannot be read: ${String(cause)}`;
    }
  });
}

/** Operations that ask a disk for room. */
const NEEDS_ROOM: readonly Operation[] = ['makeFolder', 'open', 'write', 'sync', 'rename'];
const CODES = ['EIO', 'ENOSPC', 'EACCES'] as const;
/** Operations that fail while a disk is full for a moment. */
const MOMENT = 6;

/** A fault at each operation of a run, in each of some ways. */
const everyOperation = (ways: number): Fault['times'] => {
  const all = async (): Promise<number> => ways * (await undisturbedRun()).count;
  return { short: all, long: all };
};

/** The operation and the way that number n stands for. */
async function place(n: number): Promise<{ at: number; way: number }> {
  const { count } = await undisturbedRun();
  return { at: n % count, way: Math.floor(n / count) };
}

export const diskFaults: readonly Fault[] = [
  {
    name: 'disk-error',
    injected: 'One operation of a run on its disk fails (EIO, ENOSPC, EACCES), a write after half of it; each in turn',
    times: everyOperation(CODES.length),
    async inject(n) {
      const { at, way } = await place(n);
      return judged((operation) => (operation === at ? (CODES[way % CODES.length] ?? null) : null), null);
    },
  },
  {
    name: 'disk-full-moment',
    injected: `The disk has no room for ${MOMENT} operations, from each one on`,
    times: everyOperation(1),
    async inject(n) {
      const { at } = await place(n);
      return judged((i, kind) => (i >= at && i < at + MOMENT && NEEDS_ROOM.includes(kind) ? 'ENOSPC' : null), null);
    },
  },
  {
    name: 'disk-full',
    injected: 'The disk has no room from an operation on, to the end; each in turn',
    times: everyOperation(1),
    async inject(n) {
      const { at } = await place(n);
      return judged((i, kind) => (i >= at && NEEDS_ROOM.includes(kind) ? 'ENOSPC' : null), null);
    },
  },
  {
    name: 'power-cut',
    injected: `The power goes at an operation, each in turn; of what was never synced there survives ${SURVIVORS.join(', or ')}`,
    times: everyOperation(SURVIVORS.length),
    async inject(n) {
      const { at, way } = await place(n);
      return judged((i) => (i === at ? 'cut' : null), SURVIVORS[way % SURVIVORS.length] ?? 'nothing');
    },
  },
];
