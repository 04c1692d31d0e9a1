// `npm test`: the checks, then the tests (unit, kernel, browser), then one line with the counts. Two Vitests run side by
// side, which suits two cores: one for unit tests, one for those in browsers and then those of kernels.
// With arguments one Vitest runs alone and gets them: `npm test -- test/tensor`, `npm test -- --project kernel`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requirePackages } from './installed.mjs';
import { buildWasm } from './wasm.mjs';

requirePackages();
const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = resolve(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const filters = process.argv.slice(2);

const checked =
  filters.length > 0 || spawnSync('npm run check', { cwd: root, stdio: 'inherit', shell: true }).status === 0;
// First, because both would compile it into the same place.
await buildWasm();
mkdirSync(resolve(root, 'test-results'), { recursive: true });
const results =
  filters.length > 0
    ? [await runVitest('some', filters)]
    : (await Promise.all([browserThenKernels(), project('unit')])).flat();

if (!checked) console.error('\nThe checks (npm run check) failed: see the top of this output.');
for (const line of results.flatMap((one) => one.failures)) console.error(line);
const total = (count) => results.reduce((sum, result) => sum + count(result), 0);
const [passed, failed, skipped] = [total((one) => one.passed), total((one) => one.failed), total((one) => one.skipped)];
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = checked && results.every(({ isGood }) => isGood) ? 0 : 1;

async function browserThenKernels() {
  return [await project('browser'), await project('kernel')];
}

/** Counts of a project's tests, while another Vitest runs. */
function project(name) {
  return runVitest(name, ['--project', name], true);
}

/** Counts of one Vitest. Beside another one it writes through a pipe, so it does not redraw lines. */
function runVitest(name, args, isBesideAnother = false) {
  const file = resolve(root, `test-results/vitest-${name}.json`);
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const stdio = isBesideAnother ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const env = isBesideAnother && process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env;
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], { cwd: root, stdio, env });
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
  return new Promise((done) => {
    child.on('close', (code) => done({ ...countsIn(file), isGood: code === 0 }));
  });
}

/** Counts in a result file, and what failed. A test file that fails before its first test counts as one failure; so does a missing result. */
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
