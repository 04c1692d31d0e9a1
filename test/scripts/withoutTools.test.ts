/**
 * The lab where nothing can build it: the second stage of Containerfile's image, made without a container, and the packed package,
 * installed without a registry. Both run, and write nothing into the lab's folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../support/folder';
import { LAB_COMMAND, LAB_TIMEOUT, lab as labHere } from '../support/lab';

const at = sharedFolder();
const [build, lab] = [at('build'), at('lab')];

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

function installInto(folder: string): void {
  for (const path of kept()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(resolve(path), join(folder, path));
  }
}

/** When each file of the folder was written last. */
const timesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('node_modules'))
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);

test('the image trains without the tools that built it, and builds nothing again', { timeout: 2 * LAB_TIMEOUT }, () => {
  const ignored = new Set(readFileSync('.dockerignore', 'utf8').trim().split('\n'));
  const filter = (path: string): boolean => !ignored.has(relative('.', path));
  cpSync('.', build, { recursive: true, preserveTimestamps: true, filter });
  symlinkSync(resolve('node_modules'), join(build, 'node_modules'));
  for (const command of commandsOf(first)) execFileSync('bash', ['-c', command], { cwd: build });
  rmSync(join(build, 'node_modules'));
  // Every file gets a time of its own, in no order.
  cpSync(build, lab, { recursive: true });
  installInto(lab);
  expect(readdirSync(join(lab, 'node_modules'))).not.toContain('esbuild');
  for (const command of commandsOf(second)) execFileSync('bash', ['-c', command], { cwd: lab });
  const before = timesIn(lab);
  const args = ['run', 'gridworld-tiny', '--backend', 'cpu', '--updates', '1', '--seeds', '0'];
  const env = { ...process.env, UNMASK_RUNS: at('runs') };
  const { status, stderr } = spawnSync(process.execPath, [...LAB_COMMAND, ...args], {
    cwd: lab,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  expect(stderr).not.toMatch(/Compiling|Bundling/);
  expect(timesIn(lab)).toEqual(before);
});

test('the package that npm packs has the command unmask, for any folder', { timeout: 2 * LAB_TIMEOUT }, () => {
  expect(labHere('--version').status).toBe(0);
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  const [elsewhere, unpacked] = [at('elsewhere'), at('elsewhere/node_modules/unmask')];
  for (const { path } of files) cpSync(path, join(unpacked, path));
  installInto(elsewhere);
  const before = timesIn(unpacked);
  const unmask = (...args: string[]) =>
    spawnSync(process.execPath, [join(unpacked, bin.unmask), ...args], { cwd: elsewhere, encoding: 'utf8' });
  expect(unmask('--help').stdout).toMatch(/^Usage: unmask <command>/);
  // Its policies come with it.
  const { status, stderr } = unmask(
    'run',
    'gridworld-from-files',
    '--backend',
    'cpu',
    '--updates',
    '1',
    '--seeds',
    '0',
  );
  expect(status, stderr).toBe(0);
  expect(stderr).toContain('\nTrain it longer:    unmask run --resume ');
  expect(timesIn(unpacked)).toEqual(before);
  expect(files.map(({ path }) => path).filter((path) => /^(test|bench|dist)\//.test(path))).toEqual([]);
  expect(statSync(bin.unmask).mode & 0o111).not.toBe(0);
});

test('the image’s user is not root, and writes its runs to a folder of its own', () => {
  expect(second).toMatch(/install -d -o node (\S+)\nENV UNMASK_RUNS=\1\nUSER node\nENTRYPOINT/);
});
