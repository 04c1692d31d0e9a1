/** The command line as a person or a script uses it: in a process of its own, stdout apart from stderr. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeLink } from '../../src/experiment/link';

const COMMAND = ['scripts/run.mjs', 'src/lab/main.ts'];
const TINY = ['run', 'gridworld-tiny', '--backend', 'cpu', '--arms', 'action-mask,world-model'];
const TIMEOUT = 60_000;

function lab(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [...COMMAND, ...args], { encoding: 'utf8', timeout: TIMEOUT });
}

function result(...args: string[]): Record<string, unknown> & { wallSeconds: number } {
  const { status, stdout, stderr } = lab(...args, '--json');
  expect(stderr).not.toMatch(/error/i);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unmask-lab-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the command line', () => {
  test('runs a preset and prints one JSON object, the same twice but for times', { timeout: TIMEOUT }, () => {
    const first = result(...TINY, '--updates', '6');
    const second = result(...TINY, '--updates', '6');
    expect({ ...second, wallSeconds: 0 }).toEqual({ ...first, wallSeconds: 0 });
    expect(first).toMatchObject({
      backend: 'cpu',
      experiment: { preset: 'gridworld-tiny', updates: 6 },
      arms: [
        {
          id: 'action-mask',
          name: 'Action mask',
          seeds: [{ seed: 0, evaluation: {} }, { seed: 1 }],
          summary: { final: { mean: expect.any(Number), low: expect.any(Number), high: expect.any(Number) } },
        },
        { id: 'world-model' },
      ],
    });
    const [arm] = first.arms as { seeds: { curve: Record<string, unknown[]> }[]; summary: object }[];
    for (const [name, curve] of Object.entries(arm?.seeds[0]?.curve ?? {})) expect(curve, name).toHaveLength(6);
    expect(Object.keys(arm?.seeds[0]?.curve ?? {})).toEqual(
      expect.arrayContaining([
        'update',
        'successRate',
        'return',
        'observationCrossEntropy',
        'entropy',
        'kl',
        'clipFraction',
        'gradNorm',
        'zeroVarianceGroups',
      ]),
    );
    expect(arm?.summary).toMatchObject({ auc: {}, updatesTo: { '0.5': [null, null] } });
  });

  test('stops at Ctrl-C, and continues to the same end', { timeout: 2 * TIMEOUT }, async () => {
    const whole = result(...TINY, '--updates', '400', '--seeds', '1');
    const out = join(folder, 'interrupted');
    const child = spawn(process.execPath, [...COMMAND, ...TINY, '--updates', '400', '--seeds', '1', '--out', out]);
    const ended = new Promise<number | null>((resolve) => {
      child.on('exit', resolve);
    });
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (data) => {
        if (String(data).includes('update ')) resolve();
      });
    });
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(existsSync(join(out, 'checkpoint.safetensors'))).toBe(true);
    const resumed = result('run', '--resume', out, '--backend', 'cpu');
    expect(resumed.arms).toEqual(whole.arms);
  });

  test('prints a link that holds what was set', { timeout: TIMEOUT }, () => {
    const { stdout, status } = lab('link', 'gridworld', '--set', 'arms.world-model.ce.observation=0.2');
    expect(status).toBe(0);
    expect(stdout.trim()).toBe('#preset=gridworld&arms.world-model.ce.observation=0.2');
    expect(decodeLink(stdout.trim().slice(1)).arms[1]?.ce.observation).toBe(0.2);
  });

  test('lists what there is', { timeout: TIMEOUT }, () => {
    const listed = JSON.parse(lab('list', '--json').stdout);
    expect(listed.presets).toContainEqual({ id: 'gridworld', title: expect.any(String) });
    expect(listed).toMatchObject({ environments: [{ id: 'gridworld' }], objectives: [{ id: expect.any(String) }, {}] });
  });

  test.each([
    [['run', 'nowhere'], /Presets are/],
    [['run'], /Name a preset/],
    [['dance'], /no command/],
    [['run', 'gridworld-tiny', '--arms', 'ghost'], /no arm “ghost”/],
    [['run', 'gridworld-tiny', '--seeds', 'x'], /whole numbers/],
    [['run', 'gridworld-tiny', '--backend', 'tpu'], /no backend/],
    [['run', 'gridworld-tiny', '--set', 'learningrate=1'], /learningrate/],
    [['run', '--resume', '/nonexistent'], /no checkpoint/],
  ])('answers %j with advice and a non-zero exit, nothing on stdout', { timeout: TIMEOUT }, (args, words) => {
    const { status, stdout, stderr } = lab(...args);
    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
