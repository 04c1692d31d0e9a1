/** Message to a user who starts or tests the lab before installing it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'unmask-scripts-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(home, 'copy-'));
  for (const name of ['package.json', 'scripts', 'src/cli']) cpSync(name, join(folder, name), { recursive: true });
});

const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

describe.each([
  [['scripts/start.mjs']],
  [['scripts/test.mjs']],
  [['scripts/test.mjs', 'test/cli']],
  [['scripts/run.mjs', 'src/cli/main.ts', 'list']],
])('node %j', (args) => {
  test.each([
    ['no node_modules', false],
    ['an empty node_modules', true],
  ])('with %s', (_, isThere) => {
    if (isThere) mkdirSync(join(folder, 'node_modules'));
    const { status, stdout, stderr } = run(...args);
    expect(stderr).toBe('The lab’s packages are not installed. Run: npm install\n');
    expect([status, stdout]).toEqual([1, '']);
  });

  test('names the packages that came since', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (name !== 'idb' && name !== 'esbuild') mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    }
    const { status, stderr } = run(...args);
    expect(stderr).toMatch(/^Packages are missing: idb, esbuild\. Run: npm install\n$/);
    expect(status).toBe(1);
  });
});
