/** The commit that a copy of the lab names: of a clone, a changed clone, a source archive and a packed package. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { freshFolder } from '../support/folder';

const at = freshFolder();
let commit: string;
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
    cwd: clone(),
    encoding: 'utf8',
  });
const clone = (): string => at('clone');

/** What the copy of the script in a folder says. */
function commitIn(folder: string): string {
  const says = `import('./scripts/commit.mjs').then(({ commitOf }) => process.stdout.write(String(commitOf())))`;
  return execFileSync(process.execPath, ['--eval', says], { cwd: folder, encoding: 'utf8' });
}

beforeEach(() => {
  mkdirSync(join(clone(), 'scripts'), { recursive: true });
  mkdirSync(join(clone(), 'src'));
  for (const file of ['commit.txt', '.gitattributes', 'scripts/commit.mjs']) copyFileSync(file, join(clone(), file));
  writeFileSync(join(clone(), 'src/a.ts'), '1');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { postpack } = scripts;
  // What follows builds the command line.
  const [prepack] = scripts.prepack.split(' && ');
  const packed = { name: 'packed', version: '1.0.0', scripts: { prepack, postpack } };
  writeFileSync(join(clone(), 'package.json'), JSON.stringify(packed));
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'All');
  commit = git('rev-parse', '--short=12', 'HEAD').trim();
});

test('a clone asks git, and says where files differ', () => {
  expect(commitIn(clone())).toBe(commit);
  writeFileSync(join(clone(), 'notes.txt'), 'beside it');
  expect(commitIn(clone())).toBe(commit);
  writeFileSync(join(clone(), 'src/a.ts'), '2');
  expect(commitIn(clone())).toBe(`${commit}+changed`);
});

test('a source archive names its commit, and a copy without any names none', () => {
  const folder = at('archive');
  mkdirSync(folder);
  git('archive', '--output', at('archive.tar'), 'HEAD');
  execFileSync('tar', ['-xf', at('archive.tar'), '-C', folder]);
  expect(commit.startsWith(commitIn(folder))).toBe(true);
  copyFileSync('commit.txt', join(folder, 'commit.txt'));
  expect(commitIn(folder)).toBe('undefined');
});

test('a packed package carries the commit, changed or not, and leaves the clone as it was', () => {
  writeFileSync(join(clone(), 'src/b.ts'), '1');
  execFileSync('npm', ['pack', '--silent', '--pack-destination', at()], { cwd: clone() });
  expect(git('status', '--porcelain').trim()).toBe('?? src/b.ts');
  execFileSync('tar', ['-xzf', at('packed-1.0.0.tgz'), '-C', at()]);
  expect(commitIn(at('package'))).toBe(`${commit}+changed`);
});
