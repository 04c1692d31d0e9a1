/** Message to a user who starts or tests the lab before installing it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshFolder } from '../support/folder';

const at = freshFolder();
beforeEach(() => {
  for (const name of ['package.json', 'scripts', 'src/cli']) cpSync(name, at(name), { recursive: true });
});

const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: at(), encoding: 'utf8' });

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
    if (isThere) mkdirSync(at('node_modules'));
    const { status, stdout, stderr } = run(...args);
    expect(stderr).toBe('The lab’s packages are not installed. Run: npm install\n');
    expect([status, stdout]).toEqual([1, '']);
  });

  test('names the packages that came since', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (name !== 'idb' && name !== 'esbuild') mkdirSync(at('node_modules', name), { recursive: true });
    }
    const { status, stderr } = run(...args);
    expect(stderr).toMatch(/^Packages are missing: idb, esbuild\. Run: npm install\n$/);
    expect(status).toBe(1);
  });
});
