// `npm test`: the checks, then every test (unit, kernel, browser), then one closing line with the counts.
// With arguments it runs Vitest alone and passes them on: `npm test -- test/tensor`, `npm test -- --project kernel`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requirePackages } from './installed.mjs';

requirePackages();
const root = fileURLToPath(new URL('..', import.meta.url));
const results = resolve(root, 'test-results/vitest.json');
const vitest = resolve(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const filters = process.argv.slice(2);

const succeeds = (command, args, shell = false) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', shell }).status === 0;

const checked = filters.length > 0 || succeeds('npm run check', [], true);
mkdirSync(dirname(results), { recursive: true });
rmSync(results, { force: true });
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const tested = succeeds(process.execPath, [vitest, 'run', ...reporters, ...filters]);

if (!checked) console.error('\nThe checks (npm run check) failed: see the top of this output.');
console.log(`\n${closingLine()}`);
process.exitCode = checked && tested ? 0 : 1;

/** A file that fails before its first test counts as one failure: it has no test to count. */
function closingLine() {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = readResults();
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return `${numPassedTests} passed, ${numFailedTests + broken} failed, ${numPendingTests + numTodoTests} skipped`;
}

function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  }
}
