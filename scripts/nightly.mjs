// `npm run test:nightly`: whole, the test files of which `npm test` runs a part (those that import test/support/nightly.ts), and
// those that take long.
// Files that passed are noted in .cache by commit, so a run that was stopped goes on; a tree with changes begins from the first
// file. With names it runs the files that have them in their path.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLong } from './longTests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const NOTES = join(root, '.cache', 'nightly.json');

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? '';
const commit = git('status', '--porcelain').trim() === '' ? git('rev-parse', 'HEAD').trim() : '';

function passedBefore() {
  try {
    const notes = JSON.parse(readFileSync(NOTES, 'utf8'));
    return commit !== '' && notes.commit === commit ? notes.passed : [];
  } catch {
    return [];
  }
}

const isNightly = (file) => readFileSync(join(root, file), 'utf8').includes("support/nightly'");

const names = process.argv.slice(2);
const files = readdirSync(join(root, 'test'), { recursive: true })
  .map((file) => join('test', file).split(sep).join('/'))
  .filter((file) => file.endsWith('.test.ts') && (isLong(file) || isNightly(file)))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
const isBrowser = (file) => file.endsWith('.browser.test.ts');
// Browser tests go together: the page is built once for them.
const groups = [...files.filter((file) => !isBrowser(file)).map((file) => [file]), files.filter(isBrowser)];

const passed = passedBefore();
const failed = [];
for (const group of groups) {
  const left = group.filter((file) => !passed.includes(file));
  if (left.length === 0) continue;
  const env = { ...process.env, UNMASK_NIGHTLY: '1' };
  const { status } = spawnSync(process.execPath, ['scripts/test.mjs', ...left], { cwd: root, stdio: 'inherit', env });
  (status === 0 ? passed : failed).push(...left);
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(NOTES, JSON.stringify({ commit, passed }));
}
console.log(`\nNightly: ${files.length - failed.length} of ${files.length} files passed`);
for (const file of failed) console.log(`failed: ${file}`);
process.exitCode = failed.length === 0 ? 0 : 1;
