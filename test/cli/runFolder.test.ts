/** A run's folder: whose it is, and what of it can be read when files are damaged. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tryOutput, writeOutput } from '../../src/cli/disk';
import { planRun } from '../../src/cli/run/runArguments';
import { RunFolder, readRun } from '../../src/cli/run/runFolder';
import { takeFolder } from '../../src/cli/run/takeFolder';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { leaveRun, takeAndLeave } from '../support/runFolders';

const experiment = parseExperiment({ ...findPreset('gridworld-tiny')?.experiment, updates: 3 });
const NEWEST = 'checkpoint.safetensors';
const PREVIOUS = 'checkpoint.previous.safetensors';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unmask-folder-'));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] as number) ^ 1;
  writeFileSync(path, bytes);
}

describe('checkpoints', () => {
  test('are two, and the one before the newest is read where the newest is damaged or gone', async () => {
    await leaveRun(experiment, root);
    expect(readdirSync(root).sort()).toEqual([PREVIOUS, NEWEST, 'result.json']);
    expect(await readRun(root)).toMatchObject({ isNewest: true, remarks: [], checkpoint: { snapshot: { update: 3 } } });
    damage(join(root, NEWEST));
    expect(await readRun(root)).toMatchObject({
      isNewest: false,
      checkpoint: { snapshot: { update: 2 } },
      remarks: [
        expect.stringMatching(/^The newest checkpoint cannot be used: .*checksum.* The one before it is whole/),
      ],
    });
    rmSync(join(root, NEWEST));
    expect((await readRun(root)).remarks).toEqual([expect.stringContaining(`There is no ${NEWEST}`)]);
    damage(join(root, PREVIOUS));
    await expect(readRun(root)).rejects.toThrow(/There is no checkpoint/);
  });

  test('that are damaged never take the place of one that is whole', async () => {
    await leaveRun(experiment, root);
    damage(join(root, NEWEST));
    const whole = readFileSync(join(root, PREVIOUS));
    const folder = await takeFolder(await planRun(undefined, { json: true, resume: root }));
    await folder.saveCheckpoint(whole);
    await folder.close();
    expect(readFileSync(join(root, NEWEST))).toEqual(whole);
    expect(readFileSync(join(root, PREVIOUS))).toEqual(whole);
  });
});

test('a checkpoint from before there were checksums is read, and that is said', async () => {
  await leaveRun(experiment, root);
  const path = join(root, NEWEST);
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE());
  const { __metadata__: metadata, ...tensors } = JSON.parse(bytes.subarray(8, 8 + length).toString());
  const { checksum: _, ...rest } = metadata;
  const header = Buffer.from(JSON.stringify({ __metadata__: { ...rest, format: 'unmask-1' }, ...tensors }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(path, Buffer.concat([size, header, bytes.subarray(8 + length)]));
  expect(await readRun(root)).toMatchObject({
    isNewest: true,
    remarks: [expect.stringMatching(/from before checkpoints had checksums/)],
    checkpoint: { snapshot: { update: 3 } },
  });
});

describe('a run that is there', () => {
  test('is not replaced unless that is said, and then only when the other begins', async () => {
    await leaveRun(experiment, root);
    const before = readFileSync(join(root, NEWEST));
    await expect(takeAndLeave('gridworld-tiny', { out: root })).rejects.toThrow(
      /There is a run in .* already: it has a result.json. Continue it with --resume .*, or let this run replace it with --force/,
    );
    await takeAndLeave('gridworld-tiny', { out: root, force: true });
    expect(readFileSync(join(root, NEWEST))).toEqual(before);
    expect(readdirSync(root).sort()).toEqual([PREVIOUS, NEWEST, 'result.json']);
  });

  test('goes on where it lies, or in a folder without one', async () => {
    await leaveRun(experiment, root);
    await takeAndLeave(undefined, { resume: root });
    await takeAndLeave(undefined, { resume: root, out: join(root, '..', `${root}/.`) });
    const other = join(root, 'other');
    await takeAndLeave(undefined, { resume: root, out: other });
    expect(existsSync(other)).toBe(false);
    mkdirSync(other);
    copyFileSync(join(root, NEWEST), join(other, NEWEST));
    await expect(takeAndLeave(undefined, { resume: root, out: other })).rejects.toThrow(/There is a run in/);
    await expect(takeAndLeave(undefined, { resume: root, out: root, force: true })).rejects.toThrow(/replaces none/);
  });

  test('--force goes with --out', async () => {
    await expect(takeAndLeave('gridworld-tiny', { force: true })).rejects.toThrow(
      /--force replaces a run .* none was named/,
    );
  });
});

describe('a folder', () => {
  test('is one run’s at a time', async () => {
    const first = RunFolder.at(root);
    await first.open();
    await expect(RunFolder.at(root).open()).rejects.toThrow(/This very process writes to/);
    await first.close();
    await takeAndLeave('gridworld-tiny', { out: root });
    expect(readdirSync(root)).toEqual([]);
  });

  test.each([
    [
      'lives',
      (own: string[]) => ['.lock', String(process.ppid), '', own[3]],
      /^Process \d+ writes to .*Wait until it ends/,
    ],
    [
      'runs on another machine',
      (own: string[]) => ['.lock', own[1], own[2], 'elsewhere%20'],
      /on elsewhere .* If it has ended, delete .*\.lock/,
    ],
  ])('is refused while another process that %s holds it', async (_, other, words) => {
    const own = await ownLock();
    const name = other(own).join(',');
    writeFileSync(join(root, name), '');
    await expect(RunFolder.at(root).open()).rejects.toThrow(words);
    expect(readdirSync(root)).toEqual([name]);
  });

  const isLinux = existsSync('/proc/self/stat');
  test.each<[string, () => Promise<number>]>([
    ['has ended', endedProcess],
    // Elsewhere nothing tells when a process began.
    ...(isLinux
      ? [['has its number now given to another', async () => process.ppid] as [string, () => Promise<number>]]
      : []),
  ])('is free again when the process that held it %s, and so is what it was writing', async (_, holder) => {
    const [prefix, , , machine] = await ownLock();
    writeFileSync(join(root, [prefix, await holder(), '1', machine].join(',')), '');
    writeFileSync(join(root, `.${NEWEST}.draft`), 'a part');
    const folder = RunFolder.at(root);
    await folder.open();
    expect(readdirSync(root)).toEqual([ownName(root)]);
    await folder.close();
  });

  test('that cannot be is refused in words, before anything is trained', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    await expect(takeAndLeave('gridworld-tiny', { out: file })).rejects.toThrow(/file is no folder/);
    await expect(takeAndLeave('gridworld-tiny', { out: join(file, 'below') })).rejects.toThrow(
      /is no folder, or lies in none/,
    );
    await expect(takeAndLeave('gridworld-tiny', { trajectories: join(root, 'none', 'a') })).rejects.toThrow(
      /is not there/,
    );
    await expect(takeAndLeave('gridworld-tiny', { trajectories: root })).rejects.toThrow(/is a folder/);
  });
});

describe('a file that was named', () => {
  test('is replaced whole, behind a link too', async () => {
    const [file, link] = [join(root, 'file'), join(root, 'link')];
    await writeOutput(file, 'before');
    symlinkSync(file, link);
    await writeOutput(link, 'after');
    expect(readFileSync(file, 'utf8')).toBe('after');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const failing = async function* () {
      yield 'a part';
      throw new Error('no more');
    };
    await expect(writeOutput(file, failing())).rejects.toThrow('no more');
    expect(readdirSync(root).sort()).toEqual(['file', 'link']);
    expect(readFileSync(file, 'utf8')).toBe('after');
  });

  test.skipIf(process.platform === 'win32')('is written into where it is a pipe', async () => {
    const pipe = join(root, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe]);
    // Asked for before the pipe is written: it may close before the write is known to have ended.
    const closed = once(reader, 'close');
    let read = '';
    reader.stdout.on('data', (data) => {
      read += String(data);
    });
    await tryOutput(pipe);
    await writeOutput(pipe, 'through it');
    await closed;
    expect(read).toBe('through it');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});

async function ownLock(): Promise<string[]> {
  const folder = RunFolder.at(join(root, 'own'));
  await folder.open();
  const name = ownName(join(root, 'own')) as string;
  await folder.close();
  return name.split(',');
}

const ownName = (path: string): string | undefined => readdirSync(path).find((name) => name.startsWith('.lock'));

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid as number;
}
