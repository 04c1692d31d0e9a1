/** A run's folder: whose it is, and what of it can be read when files are damaged. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tryOutput, writeOutput } from '../../src/cli/disk';
import { planRun } from '../../src/cli/run/runArguments';
import { RunFolder, readRun } from '../../src/cli/run/runFolder';
import { takeFolder } from '../../src/cli/run/takeFolder';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { freshFolder, heardErrors } from '../support/folder';
import { leaveRun, takeAndLeave } from '../support/runFolders';

const experiment = parseExperiment({ ...findPreset('gridworld-tiny')?.experiment, updates: 3 });
const NEWEST = 'checkpoint.safetensors';
const PREVIOUS = 'checkpoint.previous.safetensors';

const at = freshFolder();
heardErrors();

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] as number) ^ 1;
  writeFileSync(path, bytes);
}

describe('checkpoints', () => {
  test('are two, and the one before the newest is read where the newest is damaged or gone', async () => {
    await leaveRun(experiment, at());
    expect(readdirSync(at()).sort()).toEqual([PREVIOUS, NEWEST, 'result.json']);
    expect(await readRun(at())).toMatchObject({ isNewest: true, remarks: [], checkpoint: { snapshot: { update: 3 } } });
    damage(at(NEWEST));
    expect(await readRun(at())).toMatchObject({
      isNewest: false,
      checkpoint: { snapshot: { update: 2 } },
      remarks: [
        expect.stringMatching(/^The newest checkpoint cannot be used: .*checksum.* The one before it is whole/),
      ],
    });
    rmSync(at(NEWEST));
    expect((await readRun(at())).remarks).toEqual([expect.stringContaining(`There is no ${NEWEST}`)]);
    damage(at(PREVIOUS));
    await expect(readRun(at())).rejects.toThrow(/There is no checkpoint/);
  });

  test('that are damaged never take the place of one that is whole', async () => {
    await leaveRun(experiment, at());
    damage(at(NEWEST));
    const whole = readFileSync(at(PREVIOUS));
    const folder = await takeFolder(await planRun(undefined, { json: true, resume: at() }));
    await folder.saveCheckpoint(whole);
    await folder.close();
    expect(readFileSync(at(NEWEST))).toEqual(whole);
    expect(readFileSync(at(PREVIOUS))).toEqual(whole);
  });
});

test('a checkpoint from before there were checksums is read, and that is said', async () => {
  await leaveRun(experiment, at());
  const path = at(NEWEST);
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE());
  const { __metadata__: metadata, ...tensors } = JSON.parse(bytes.subarray(8, 8 + length).toString());
  const { checksum: _, ...rest } = metadata;
  const header = Buffer.from(JSON.stringify({ __metadata__: { ...rest, format: 'unmask-1' }, ...tensors }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(path, Buffer.concat([size, header, bytes.subarray(8 + length)]));
  expect(await readRun(at())).toMatchObject({
    isNewest: true,
    remarks: [expect.stringMatching(/from before checkpoints had checksums/)],
    checkpoint: { snapshot: { update: 3 } },
  });
});

describe('a run that is there', () => {
  test('is not replaced unless that is said, and then only when the other begins', async () => {
    await leaveRun(experiment, at());
    const before = readFileSync(at(NEWEST));
    await expect(takeAndLeave('gridworld-tiny', { out: at() })).rejects.toThrow(
      /There is a run in .* already: it has a result.json. Continue it with --resume .*, or let this run replace it with --force/,
    );
    await takeAndLeave('gridworld-tiny', { out: at(), force: true });
    expect(readFileSync(at(NEWEST))).toEqual(before);
    expect(readdirSync(at()).sort()).toEqual([PREVIOUS, NEWEST, 'result.json']);
  });

  test('goes on where it lies, or in a folder without one', async () => {
    await leaveRun(experiment, at());
    await takeAndLeave(undefined, { resume: at() });
    await takeAndLeave(undefined, { resume: at(), out: at('..', `${at()}/.`) });
    const other = at('other');
    await takeAndLeave(undefined, { resume: at(), out: other });
    expect(existsSync(other)).toBe(false);
    mkdirSync(other);
    copyFileSync(at(NEWEST), join(other, NEWEST));
    await expect(takeAndLeave(undefined, { resume: at(), out: other })).rejects.toThrow(/There is a run in/);
    await expect(takeAndLeave(undefined, { resume: at(), out: at(), force: true })).rejects.toThrow(/replaces none/);
  });

  test('--force goes with --out', async () => {
    await expect(takeAndLeave('gridworld-tiny', { force: true })).rejects.toThrow(
      /--force replaces a run .* none was named/,
    );
  });
});

describe('a folder', () => {
  test('is one run’s at a time', async () => {
    const first = RunFolder.at(at());
    await first.open();
    await expect(RunFolder.at(at()).open()).rejects.toThrow(/This very process writes to/);
    await first.close();
    await takeAndLeave('gridworld-tiny', { out: at() });
    expect(readdirSync(at())).toEqual([]);
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
    writeFileSync(at(name), '');
    await expect(RunFolder.at(at()).open()).rejects.toThrow(words);
    expect(readdirSync(at())).toEqual([name]);
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
    writeFileSync(at([prefix, await holder(), '1', machine].join(',')), '');
    writeFileSync(at(`.${NEWEST}.draft`), 'a part');
    const folder = RunFolder.at(at());
    await folder.open();
    expect(readdirSync(at())).toEqual([ownName(at())]);
    await folder.close();
  });

  test('that cannot be is refused in words, before anything is trained', async () => {
    const file = at('file');
    writeFileSync(file, '');
    await expect(takeAndLeave('gridworld-tiny', { out: file })).rejects.toThrow(/file is no folder/);
    await expect(takeAndLeave('gridworld-tiny', { out: join(file, 'below') })).rejects.toThrow(
      /is no folder, or lies in none/,
    );
    await expect(takeAndLeave('gridworld-tiny', { trajectories: at('none', 'a') })).rejects.toThrow(/is not there/);
    await expect(takeAndLeave('gridworld-tiny', { trajectories: at() })).rejects.toThrow(/is a folder/);
  });
});

describe('a file that was named', () => {
  test('is replaced whole, behind a link too', async () => {
    const [file, link] = [at('file'), at('link')];
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
    expect(readdirSync(at()).sort()).toEqual(['file', 'link']);
    expect(readFileSync(file, 'utf8')).toBe('after');
  });

  test('is written to its end though another command asks meanwhile whether it could write there', async () => {
    const asked = async function* () {
      yield 'a part, ';
      await tryOutput(at('file'));
      yield 'and the rest';
    };
    await writeOutput(at('file'), asked());
    expect(readFileSync(at('file'), 'utf8')).toBe('a part, and the rest');
    expect(readdirSync(at())).toEqual(['file']);
  });

  test.skipIf(process.platform === 'win32')('is written into where it is a pipe', async () => {
    const pipe = at('pipe');
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
  const folder = RunFolder.at(at('own'));
  await folder.open();
  const name = ownName(at('own')) as string;
  await folder.close();
  return name.split(',');
}

const ownName = (path: string): string | undefined => readdirSync(path).find((name) => name.startsWith('.lock'));

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid as number;
}
