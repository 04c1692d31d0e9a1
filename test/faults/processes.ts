/**
 * Faults around `lab run` as a process: killed, its terminal closed, its disk full, its output unread. What remains must
 * lead to the result of an undisturbed run, number for number.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from '../../src/foundation/crc32';
import { LAB_COMMAND } from '../support/lab';
import { type Fault, times } from './fault';
import { pause, type Running, start, updatesIn } from './running';

/** Updates of a run that lasts longer than the wait for its first save; of one that can be stopped; of a short one. */
const LONG = 3000;
const MIDDLE = 400;
const SHORT = 4;
/** Updates that a killed run goes on for. */
const FURTHER = 200;
const CHECKPOINT = 'checkpoint.safetensors';
const command = (updates: number): string[] => [
  ...[...LAB_COMMAND, 'run', 'gridworld-tiny', '--backend', 'cpu', '--workers', '1'],
  ...['--arms', 'action-mask', '--seeds', '0', '--updates', String(updates), '--json'],
];
const resuming = (folder: string): string[] => [...LAB_COMMAND, 'run', '--resume', folder, '--json'];

const runs = new Map<number, Promise<string>>();

/** Result of an undisturbed run, without times. */
function undisturbed(updates: number): Promise<string> {
  const known = runs.get(updates) ?? start(command(updates)).ended.then(({ stdout }) => withoutTimes(stdout));
  runs.set(updates, known);
  return known;
}

const withoutTimes = (json: string): string => JSON.stringify({ ...JSON.parse(json), wallSeconds: 0 });

async function differs(json: string, updates: number): Promise<string | null> {
  return withoutTimes(json) === (await undisturbed(updates)) ? null : 'the result is another';
}

/** Null if the curves are those of the longest run until then. */
async function differsFromBeginning(json: string, updates: number): Promise<string | null> {
  const [run, whole] = [json, await undisturbed(LONG)].map((text) => {
    const [{ curve }] = JSON.parse(text).arms[0].seeds;
    return JSON.stringify(Object.values<unknown[]>(curve).map((values) => values.slice(0, updates)));
  });
  return run === whole && JSON.parse(json).arms[0].seeds[0].curve.update.length === updates
    ? null
    : 'the curves are others';
}

/** A folder for one injection. */
async function within<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'unmask-fault-'));
  try {
    return await work(join(root, 'run'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Goes on to so many updates, and compares the result. */
async function resumed(folder: string, updates: number, words = /./, compare = differs): Promise<string | null> {
  const { code, stdout, stderr } = await start([...resuming(folder), '--updates', String(updates)]).ended;
  if (!words.test(stderr)) return `nothing is said of it: ${stderr}`;
  if (code !== 0) return `cannot be resumed: ${stderr}`;
  if (readdirSync(folder).some((name) => name.startsWith('.'))) return `files are left: ${readdirSync(folder)}`;
  return compare(stdout, updates);
}

async function refused(run: Running, words: RegExp): Promise<string | null> {
  const { code, stdout, stderr } = await run.ended;
  const isRight = code === 2 && stdout === '' && words.test(stderr);
  return isRight ? null : `exit code ${code}, and it said: ${stderr}`;
}

/** A file system of one MiB in memory at a folder; needs the right to mount. */
async function withSmallDisk<T>(options: string, work: (folder: string) => Promise<T>): Promise<T> {
  return within(async (folder) => {
    mkdirSync(folder);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=1m,${options}`, 'tmpfs', folder]).status !== 0) {
      throw new Error('The file system cannot be mounted.');
    }
    try {
      return await work(folder);
    } finally {
      spawnSync('umount', ['-l', folder]);
    }
  });
}

const cannotMount = (): string | null =>
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'needs the right to mount a file system';

/** Fills a disk to its last byte. Returns the file. */
function fill(folder: string): string {
  const path = join(folder, 'filler');
  try {
    writeFileSync(path, new Uint8Array(2 ** 21));
  } catch {
    // That is what was wanted.
  }
  return path;
}

export const processFaults: readonly Fault[] = [
  {
    name: 'kill',
    injected: 'kill -9 at a random moment after the first save',
    times: times(1, 20),
    inject: (n) =>
      within(async (folder) => {
        const run = start([...command(LONG), '--out', folder]);
        while (!existsSync(join(folder, CHECKPOINT)) && run.child.exitCode === null) await pause(5);
        await pause(crc32(Uint8Array.of(n, n >>> 8)) % 1500);
        run.child.kill('SIGKILL');
        await run.ended;
        const updates = Math.min(LONG, updatesIn(join(folder, CHECKPOINT)) + FURTHER);
        return resumed(folder, updates, /./, differsFromBeginning);
      }),
  },
  {
    name: 'terminal-closed',
    injected: 'SIGHUP while it trains',
    times: times(1, 3),
    inject: () =>
      within(async (folder) => {
        const run = start([...command(MIDDLE), '--out', folder]);
        await run.said('update ');
        run.child.kill('SIGHUP');
        const { code, stderr } = await run.ended;
        return code === 130 ? resumed(folder, MIDDLE) : `exit code ${code}: ${stderr}`;
      }),
  },
  {
    name: 'newest-damaged',
    injected: 'A byte of the newest checkpoint changes between two processes',
    times: times(1, 10),
    inject: (n) =>
      within(async (folder) => {
        await start([...command(SHORT - 1), '--out', folder]).ended;
        await start([...resuming(folder), '--updates', String(SHORT)]).ended;
        const path = join(folder, CHECKPOINT);
        const bytes = readFileSync(path);
        const at = crc32(Uint8Array.of(n)) % bytes.length;
        bytes[at] = (bytes[at] as number) ^ 0x55;
        writeFileSync(path, bytes);
        return resumed(folder, SHORT, /The newest checkpoint cannot be used/);
      }),
  },
  {
    name: 'two-at-once',
    injected: 'Two processes begin in one folder at the same moment',
    times: times(1, 10),
    inject: () =>
      within(async (folder) => {
        const both = [0, 1].map(() => start([...command(SHORT), '--out', folder]));
        const ended = await Promise.all(both.map((run) => run.ended));
        const done = ended.filter(({ code }) => code === 0);
        if (done.length > 1 || ended.some(({ code }) => code !== 0 && code !== 2)) {
          return `exit codes ${ended.map(({ code }) => code)}: ${ended.map(({ stderr }) => stderr)}`;
        }
        return done[0] === undefined ? null : differs(done[0].stdout, SHORT);
      }),
  },
  {
    name: 'output-unread',
    injected: 'What reads stdout ends before the result (EPIPE)',
    times: times(1, 5),
    inject: () =>
      within(async (folder) => {
        const run = start([...command(SHORT), '--out', folder]);
        run.child.stdout?.destroy();
        const { code, stderr } = await run.ended;
        if (code !== 1 || !stderr.includes('what read it has ended')) return `exit code ${code}: ${stderr}`;
        return differs(readFileSync(join(folder, 'result.json'), 'utf8'), SHORT);
      }),
  },
  {
    name: 'messages-unread',
    injected: 'What reads stderr ends at once (EPIPE): training goes on',
    times: times(1, 5),
    inject: () =>
      within(async (folder) => {
        const run = start([...command(SHORT), '--out', folder]);
        run.child.stderr?.destroy();
        const { code, stdout } = await run.ended;
        return code === 0 ? differs(stdout, SHORT) : `exit code ${code}`;
      }),
  },
  {
    name: 'output-full',
    injected: 'stdout is /dev/full',
    times: times(1, 5),
    missing: () => (existsSync('/dev/full') ? null : 'there is no /dev/full here'),
    inject: () =>
      within(async (folder) => {
        const { code, stderr } = await start([...command(SHORT), '--out', folder], openSync('/dev/full', 'w')).ended;
        if (code !== 1 || !stderr.includes('the disk is full')) return `exit code ${code}: ${stderr}`;
        return differs(readFileSync(join(folder, 'result.json'), 'utf8'), SHORT);
      }),
  },
  {
    name: 'disk-full-3-seconds',
    injected: 'A real disk (tmpfs) has no room for three seconds of training, from the first save on',
    times: times(1, 3),
    missing: cannotMount,
    inject: () =>
      withSmallDisk('mode=755', async (folder) => {
        const filler = fill(folder);
        const run = start([...command(MIDDLE), '--out', folder]);
        await run.said('is full');
        await pause(3000);
        rmSync(filler);
        const { code, stdout, stderr } = await run.ended;
        if (code !== 0) return `exit code ${code}: ${stderr}`;
        const left = readdirSync(folder).filter((name) => name.startsWith('.'));
        return left.length > 0 ? `files are left: ${left}` : differs(stdout, MIDDLE);
      }),
  },
  {
    name: 'disk-full-for-good',
    injected:
      'A real disk (tmpfs) has no room from beginning to end: the result is printed, and no part of a file is left',
    times: times(1, 3),
    missing: cannotMount,
    inject: () =>
      withSmallDisk('mode=755', async (folder) => {
        fill(folder);
        const { code, stdout, stderr } = await start([...command(SHORT), '--out', folder]).ended;
        if (code !== 1 || !stderr.includes('is full')) return `exit code ${code}: ${stderr}`;
        if (readdirSync(folder).length > 1) return `files are left: ${readdirSync(folder)}`;
        return differs(stdout, SHORT);
      }),
  },
  {
    name: 'read-only',
    injected: '--out lies on a disk that can only be read',
    times: times(1, 3),
    missing: cannotMount,
    inject: () =>
      withSmallDisk('ro', (folder) =>
        refused(start([...command(SHORT), '--out', folder]), /a disk that can only be read/),
      ),
  },
  {
    name: 'out-is-a-file',
    injected: '--out names a file',
    times: times(1, 3),
    inject: () =>
      within(async (folder) => {
        writeFileSync(folder, 'something else');
        const said = await refused(start([...command(SHORT), '--out', folder]), /is no folder/);
        return said ?? (readFileSync(folder, 'utf8') === 'something else' ? null : 'the file');
      }),
  },
];
