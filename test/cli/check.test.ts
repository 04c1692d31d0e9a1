/** `lab check` as users and scripts call it, in a process of its own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sharedFolder } from '../support/folder';

const KL = 'test/fixtures/kl.json';
const TIMEOUT = 240_000;

function check(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const command = ['scripts/run.mjs', 'src/cli/main.ts', 'check', ...args];
  return spawnSync(process.execPath, command, { encoding: 'utf8', timeout: TIMEOUT });
}

const at = sharedFolder();
/** Writes changed cases of kl.json into a file. Returns its path. */
function file(name: string, change: (cases: Record<string, never>[]) => unknown): string {
  const path = at(name);
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(KL, 'utf8')))));
  return path;
}

describe.each(['cpu', 'reference'])('on %s', (backend) => {
  test('a good file passes', { timeout: TIMEOUT }, () => {
    const { status, stdout, stderr } = check(KL, '--backend', backend);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^kl +39 passed, 0 failed, 0 skipped +1260 numbers, 39 operations, worst \S+, \S+% of what/);
    expect(stdout.trim().split('\n').at(-1)).toBe('39 passed, 0 failed, 0 skipped');
    expect(stderr).toMatch(/^Runs on .*: because it was chosen\.\n$/);
  });
});

test('a case that differs is named, and the exit code is 1', { timeout: TIMEOUT }, () => {
  const path = file('wrong.json', ([first, second, third]) => [
    { ...first, expected: { kl: { shape: [2, 5], dtype: 'f64', data: new Array(10).fill(0.5) } } },
    { ...second, tags: ['legacy'] },
    third,
  ]);
  const { status, stdout } = check(path, '--backend', 'reference');
  expect(status).toBe(1);
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toMatch(/^kl +1 passed, 1 failed, 1 skipped/);
  expect(lines[1]).toMatch(/^ {2}failed verl_kl_rand: kl\[0\] is -?\d.*, expected 0\.5 ± /);
  expect(lines).toContain('  skipped verl_k1_rand: an older version of the other project, superseded by another case');
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 1 skipped');
});

test('--json prints one object with every case', { timeout: TIMEOUT }, () => {
  const { status, stdout } = check(KL, 'test/fixtures/echo.json', '--backend', 'cpu', '--json');
  expect(status).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ backend: 'cpu', adapter: expect.any(String), passed: 87, failed: 0, skipped: 0 });
  expect(result.families.map(({ family }: { family: string }) => family)).toEqual(['kl', 'echo']);
  expect(result.families[0]).toEqual({
    family: 'kl',
    passed: 39,
    failed: 0,
    skipped: 0,
    compared: expect.any(Number),
    dispatches: expect.any(Number),
    worst: {
      case: expect.any(String),
      output: expect.any(String),
      error: expect.any(Number),
      share: expect.any(Number),
    },
  });
  expect(result.cases).toHaveLength(87);
  expect(result.cases[0]).toMatchObject({ name: 'verl_kl_rand', family: 'kl', outcome: 'passed', reasons: [] });
});

describe('what is not valid gives 2, one line and advice', () => {
  const refused = (words: RegExp, ...args: string[]): void => {
    const { status, stdout, stderr } = check(...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(words);
  };

  test('arguments', { timeout: TIMEOUT }, () => {
    refused(/No file was named\. Name fixture files/);
    refused(/no backend “tpu”\. Choose one of: auto, webgpu, cpu, cpu-fused, reference\./, KL, '--backend', 'tpu');
    refused(/check takes no --quick/, KL, '--quick');
  });

  test('files', { timeout: TIMEOUT }, () => {
    refused(/nowhere\.json cannot be read\. Choose a file/, 'nowhere.json');
    mkdirSync(at('empty'));
    refused(/empty is a folder/, at('empty'));
    refused(/package\.json: The file is no list of cases\. .*docs\/fixtures\.md\.$/m, KL, 'package.json');
    refused(
      /foreign\.json: What verl_kl_rand is about cannot be told/,
      file('foreign.json', ([first]) => [{ ...first, expected: { height: 1 } }]),
    );
    const shape = file('shape.json', ([first]) => [
      { ...first, inputs: { x: { shape: [3], dtype: 'f32', data: [] } } },
    ]);
    refused(/shape\.json: “x” among the inputs of verl_kl_rand has the shape \[3\] and 0 elements/, shape);
  });
});
