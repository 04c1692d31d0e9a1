// `npm test`: the checks, then the tests (unit, kernel, browser) but for those that take long, then one line with the counts.
// `npm run test:long`: those that take long. With arguments, which Vitest gets, nothing is checked, and long files are run too:
// `npm test -- test/tensor`, `npm test -- --project kernel`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requirePackages } from './installed.mjs';

requirePackages();
const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = resolve(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const isLong = process.argv.includes('--long');
const args = process.argv.slice(2).filter((one) => one !== '--long');
const isAll = args.length === 0 && !isLong;

const checked = !isAll || spawnSync('npm run check', { cwd: root, stdio: 'inherit', shell: true }).status === 0;
const file = resolve(root, 'test-results/vitest.json');
mkdirSync(dirname(file), { recursive: true });
rmSync(file, { force: true });
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
const part = isLong ? { UNMASK_TESTS: 'long' } : isAll ? { UNMASK_TESTS: 'day' } : {};
const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...part },
});
const { passed, failed, skipped, failures } = countsIn(file);
if (!checked) console.error('\nThe checks (npm run check) failed: see the top of this output.');
for (const line of failures) console.error(line);
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = checked && status === 0 ? 0 : 1;

/**
 * Counts in a result file, and what failed. A test file that fails before its first test counts as one failure; so does a missing
 * result.
 */
function countsIn(file) {
  let result;
  try {
    result = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [`\n${file} was not written: see the output above.`] };
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = result;
  const failed = testResults.filter((one) => one.status === 'failed');
  const broken = failed.filter((one) => one.assertionResults.length === 0).length;
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken,
    skipped: numPendingTests + numTodoTests,
    failures: failed.flatMap(failuresOf),
  };
}

/** Failures of a file, said again last: the end of a long log is what is read, and some keep only that. */
function failuresOf({ name, message, assertionResults }) {
  const tests = assertionResults.filter((one) => one.status === 'failed');
  if (tests.length === 0) return [`\nFAILED ${relative(root, name)}\n${message}`];
  return tests.map((one) => `\nFAILED ${relative(root, name)} > ${one.fullName}\n${one.failureMessages.join('\n')}`);
}
