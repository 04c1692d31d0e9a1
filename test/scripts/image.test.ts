/** The image of Containerfile, made without a container: what its second stage keeps runs, and writes nothing into the lab’s folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LAB_COMMAND, LAB_TIMEOUT } from '../support/lab';

const home = mkdtempSync(join(tmpdir(), 'unmask-image-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const [build, lab] = [join(home, 'build'), join(home, 'lab')];

const [, first = '', second = ''] = readFileSync('Containerfile', 'utf8').split(/^FROM /m);
/** A stage's commands that need neither a registry nor another user. */
const commandsOf = (stage: string): string[] =>
  [...stage.matchAll(/^RUN (.*)$/gm)]
    .flatMap(([, line = '']) => line.split(' && '))
    .filter((command) => !/^(npm|install) /.test(command));

/** Packages that `npm prune --omit=dev` leaves. */
function kept(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const names = Object.keys(packages).filter(
    (path) => path !== '' && !packages[path].dev && !packages[path].devOptional,
  );
  return names.filter((path) => path.lastIndexOf('node_modules/') === 0);
}

/** When each file of the folder was written last. */
const timesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('node_modules'))
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);

test('it trains without the tools that built it, and builds nothing again', { timeout: 2 * LAB_TIMEOUT }, () => {
  const ignored = new Set(readFileSync('.dockerignore', 'utf8').trim().split('\n'));
  const filter = (path: string): boolean => !ignored.has(relative('.', path));
  cpSync('.', build, { recursive: true, preserveTimestamps: true, filter });
  symlinkSync(resolve('node_modules'), join(build, 'node_modules'));
  for (const command of commandsOf(first)) execFileSync('bash', ['-c', command], { cwd: build });
  rmSync(join(build, 'node_modules'));
  // Every file gets a time of its own, in no order.
  cpSync(build, lab, { recursive: true });
  for (const path of kept()) {
    mkdirSync(dirname(join(lab, path)), { recursive: true });
    symlinkSync(resolve(path), join(lab, path));
  }
  expect(readdirSync(join(lab, 'node_modules'))).not.toContain('esbuild');
  for (const command of commandsOf(second)) execFileSync('bash', ['-c', command], { cwd: lab });
  const before = timesIn(lab);
  const args = ['run', 'gridworld-tiny', '--backend', 'cpu', '--updates', '1', '--seeds', '0'];
  const env = { ...process.env, UNMASK_RUNS: join(home, 'runs') };
  const { status, stderr } = spawnSync(process.execPath, [...LAB_COMMAND, ...args], {
    cwd: lab,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  expect(stderr).not.toMatch(/Compiling|Bundling/);
  expect(timesIn(lab)).toEqual(before);
});

test('its user is not root, and writes its runs to a folder of its own', () => {
  expect(second).toMatch(/install -d -o node (\S+)\nENV UNMASK_RUNS=\1\nUSER node\nENTRYPOINT/);
});
