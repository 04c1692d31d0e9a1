/**
 * Every command of the documentation is run, in a copy of the repository, one after the other as somebody would who reads. Those
 * that train do so for two updates; what is not run has its reason in commands.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../support/folder';
import { isNightly } from '../support/nightly';
import { documents, idleRules, type Way, wayOf } from './commands';

/** Milliseconds, for what never ends. */
const PATIENCE = 400_000;

/** Milliseconds, for all of them on a machine that does much else; each has its own PATIENCE. */
const HOURS = 2 * 3_600_000;

const NOT_COPIED = new Set(['node_modules', '.git', 'dist', 'test-results', 'lab-runs']);

/** A copy of the repository with what its readers have made: a world, a formula, and texts. */
function copyOfAll(): string {
  const copy = testFolder()();
  const filter = (path: string): boolean => !NOT_COPIED.has(relative('.', path));
  cpSync('.', copy, { recursive: true, preserveTimestamps: true, filter });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  cpSync('worlds/key-door.js', join(copy, 'my-world.js'));
  cpSync('docs/recipes/dppo-kimi.loss', join(copy, 'mine.loss'));
  writeFileSync(join(copy, 'stories.txt'), 'Tom had a red kite.\n<|endoftext|>\nLily saw a cat.\n');
  writeFileSync(join(copy, 'questions.jsonl'), '{"prompt": "Who had a kite?", "completion": " Tom."}\n');
  return copy;
}

interface Started {
  readonly child: ChildProcess;
  /** All that it has printed. */
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

function start(command: string, cwd: string): Started {
  const { UNMASK_RUNS: _, NODE_ENV: __, VITEST: ___, ...env } = process.env;
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
  const child = spawn('bash', ['-c', command], {
    cwd,
    // A group of its own, so that all that npm starts can be ended.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...author, CI: '1', FORCE_COLOR: '0', NO_COLOR: '1' },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, said: () => text, ended };
}

function end({ child }: Started): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  process.kill(-child.pid, 'SIGTERM');
}

/** null if it ends well. */
async function problemOf(command: string, cwd: string): Promise<string | null> {
  const started = start(command, cwd);
  const timer = setTimeout(() => end(started), PATIENCE);
  const code = await started.ended;
  clearTimeout(timer);
  return code === 0 ? null : `${command}\nended with ${code}: ${started.said().slice(-1500)}`;
}

/** null if its address answers. */
async function problemOfServer(command: string, started: Started): Promise<string | null> {
  let isOver = false;
  started.ended.then(() => (isOver = true));
  for (const until = Date.now() + PATIENCE; Date.now() < until && !isOver; ) {
    const [address] = /http:\/\/(localhost|127\.0\.0\.1):\d+/.exec(started.said()) ?? [];
    if (address !== undefined && (await fetch(address).catch(() => null)) !== null) return null;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return `${command}\ndoes not answer: ${started.said().slice(-1500)}`;
}

async function problemsOf(files: readonly string[]): Promise<string[]> {
  const cwd = copyOfAll();
  const problems: string[] = [];
  for (const { file, commands } of documents.filter((one) => files.includes(one.file))) {
    const servers: Started[] = [];
    for (const command of commands) {
      const way = wayOf(command);
      if (way === null || 'why' in way) continue;
      const began = Date.now();
      const problem = await tried(way, command, commands, servers, cwd);
      if (problem !== null) problems.push(`${file}: ${problem}`);
      if (process.env.UNMASK_TRACE === '1') console.log(`${file}: ${command}: ${Date.now() - began} ms`, problem ?? '');
    }
    for (const server of servers) end(server);
    await Promise.all(servers.map(({ ended }) => ended));
  }
  return problems;
}

/** null if a command works. A server is one of `servers` from then on. */
function tried(
  way: Exclude<Way, { why: string }>,
  command: string,
  all: readonly string[],
  servers: Started[],
  cwd: string,
): Promise<string | null> {
  if ('run' in way) return problemOf(forced(way.run, all.indexOf(command), all), cwd);
  const server = start(way.serve, cwd);
  servers.push(server);
  return problemOfServer(way.serve, server);
}

/** A run into a folder that a command before it of the same document names replaces what is there. */
function forced(command: string, index: number, commands: readonly string[]): string {
  const [, out] = /lab -- run .*--out (\S+)/.exec(command) ?? [];
  const isThere = commands.slice(0, index).some((one) => out !== undefined && one.includes(`--out ${out}`));
  return isThere ? `${command} --force` : command;
}

/** Documents that go on from the results of the README. */
const FIRST = ['README.md', 'docs/onnx.md', 'docs/publishing.md'];
const OTHERS = documents.map(({ file }) => file).filter((file) => !FIRST.includes(file));

test('every command has a way to be tried, and every way a command', () => {
  const all = documents.flatMap(({ commands }) => commands);
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter((command) => wayOf(command) === null)).toEqual([]);
  expect(idleRules(all)).toEqual([]);
});

test.runIf(isNightly).concurrent.each([
  ['the README', FIRST],
  ['the other documents', OTHERS],
])('the commands of %s work', async (_, files) => expect(await problemsOf(files)).toEqual([]), HOURS);
