/** The command line as users and scripts call it: in a process of its own, with stdout and stderr separate. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { carryOut } from '../../src/cli/carryOut';
import { lineOf, understand } from '../../src/cli/understand';
import { LabError } from '../../src/foundation/errors';
import { type FolderAt, sharedFolder } from './folder';

export const LAB_COMMAND = ['scripts/run.mjs', 'src/cli/main.ts'];
/** Timeout of a command in milliseconds, only for one that hangs. */
export const LAB_TIMEOUT = 240_000;

export interface LabOutput {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function lab(...args: string[]): LabOutput {
  return spawnSync(process.execPath, [...LAB_COMMAND, ...args], { encoding: 'utf8', timeout: LAB_TIMEOUT });
}

/**
 * The same in this process, for a tenth of the time: on one thread, with the worlds and models that commands before it opened.
 * Each command is also tested in a process of its own.
 */
export async function labHere(...args: string[]): Promise<LabOutput> {
  const said = { stdout: '', stderr: '' };
  const streams = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text, ...more) => {
      said[name] += text;
      for (const done of more) if (typeof done === 'function') done();
      return true;
    }),
  );
  try {
    const alone = args[0] === 'run' && !args.includes('--workers') ? ['--workers', '1'] : [];
    return { status: await carryOut([...args, ...alone], new URL(import.meta.url)), ...said };
  } finally {
    for (const stream of streams) stream.mockRestore();
  }
}

/** The same while this process serves. */
export function labBeside(...args: string[]): Promise<LabOutput> {
  const child = spawn(process.execPath, [...LAB_COMMAND, ...args], { timeout: LAB_TIMEOUT });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })));
}

/** Paths in a folder for the files of one test file, which is removed at its end; `file` writes one and gives its path. */
export function labFiles(): { at: FolderAt; file: (name: string, text: string) => string } {
  const at = sharedFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  return { at, file };
}

/** JSON that a command prints with --json; the command must succeed. */
export const labResult = <T>(...args: string[]): T => resultOf(lab(...args, '--json'));

/** The same in this process. */
export const resultHere = async <T>(...args: string[]): Promise<T> => resultOf(await labHere(...args, '--json'));

function resultOf<T>(output: LabOutput): T {
  expect(output.stderr).not.toMatch(/error/i);
  return JSON.parse(printed(output));
}

/** Text that a command printed; the command must succeed. */
export function printed({ status, stdout, stderr }: LabOutput): string {
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Checks that a command did nothing and that one line says why. */
export function expectRefusal({ status, stdout, stderr }: LabOutput, words: RegExp): void {
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(words);
  expect(stderr.trim()).not.toContain('\n');
}

/** The same of arguments that are understood in this process, which is a hundred times as fast. */
export async function expectRefused(args: string[], words: RegExp): Promise<void> {
  const printed = vi.spyOn(process.stdout, 'write');
  const refusal: unknown = await understand(args, new URL(import.meta.url)).then(
    () => null,
    (cause) => cause,
  );
  const output = printed.mock.calls.map(([text]) => text).join('');
  printed.mockRestore();
  expect(refusal).toBeInstanceOf(LabError);
  expectRefusal({ status: 2, stdout: output, stderr: lineOf(refusal) }, words);
}
