/** Commands that are not understood, or cannot keep what they make: each is answered with advice before anything is done. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS, helpOn, OPTIONS } from '../../src/cli/commands';
import { expectRefusal, expectRefused, LAB_TIMEOUT, lab, labFiles } from '../support/lab';

const { file } = labFiles();

describe('a usage error', () => {
  test.each([
    [[], /^$/],
    [['run', 'nowhere'], /Presets are/],
    [['run'], /Name a preset/],
    [['dance'], /no command/],
    [['exprot', 'R'], /There is no command “exprot”\. Did you mean export\?/],
    [['run', '--dance'], /There is no option --dance\. See/],
    [['run', 'gridworld-tiny', '--uptades', '3'], /There is no option --uptades\. Did you mean --updates\?/],
    [['run', 'gridwrld-tiny'], /Did you mean gridworld-tiny\? Presets are/],
    [['run', 'gridworld-tiny', '--json=3'], /'--json' does not take an argument\. See/],
    [['list', '--updates', '3'], /list takes no --updates/],
    [['list', 'presets'], /“presets” besides all it takes/],
    [['run', 'gridworld-tiny', 'gridworld'], /“gridworld” besides all it takes/],
    [['run', 'gridworld-tiny', '--arms', 'ghost'], /no arm “ghost”/],
    [['run', 'gridworld-tiny', '--seeds', 'x'], /whole numbers/],
    [['run', 'gridworld-tiny', '--seeds', '0-'], /whole numbers/],
    [['run', 'gridworld-tiny', '--seeds', '1-0'], /--seeds 1-0 runs backwards.*--seeds 0-1/],
    [['run', 'gridworld-tiny', '--seeds', '100-132'], /names 33 seeds.*at most 32/],
    [['run', 'gridworld', '--seeds', '0-31'], /3 arms × 32 seeds are 96 policies/],
    [['run', 'gridworld-tiny', '--updates', '1.5'], /whole number/],
    [['run', 'gridworld-tiny', '--workers', '0'], /--workers cannot be 0/],
    [['run', 'gridworld-tiny', '--backend', 'tpu'], /no backend/],
    [['run', 'gridworld-tiny', '--set', 'seed=1', '--set', 'learningrate=1'], /^--set learningrate=1: (?!.*link)/],
    [['run', 'gridworld-tiny', '--set', 'seed=one'], /^--set seed=one: (?!.*link)/],
    [['run', 'gridworld-tiny', '--set', 'seeds'], /--set path=value/],
    [['run', 'src'], /src is a folder/],
    [['run', '--resume', '/nonexistent'], /no checkpoint/],
    [['link', 'gridworld', '--base', 'here'], /no web address/],
    [['bench', 'nothing'], /no benchmark/],
    [['run', 'gridworld-tiny', '--out='], /^--out is empty\. Write its value/],
    [['run', 'gridworld-tiny', '--set', 'seed=1', '--set', ''], /^--set is empty/],
    [['serve', 'gridworld', '--allow-host='], /^--allow-host is empty/],
    [['run', 'gridworld-tiny', '--json', '--csv'], /--json and --csv are two forms/],
    [['run', 'gridworld-tiny', '--sweep', 'batch.groupSize=2,4', '--out', 'S', '--csv'], /^--csv is of one run/],
  ])('%j is answered with advice, exit code 2, and no result', { timeout: LAB_TIMEOUT }, async (args, words) => {
    if (args.length > 0) await expectRefused([...args], words);
    else expect(lab().status).toBe(2);
  });

  test('a file that holds no experiment is one too', { timeout: LAB_TIMEOUT }, () => {
    expectRefusal(lab('run', file('experiment.json', '{')), /is not JSON/);
  });
});

describe('the help', () => {
  const names = [...COMMANDS.keys()];

  test.each(['', ...names])('%s fits a screen', (name) => {
    const lines = helpOn(name, false).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  test('names every command, and with --all every option of each', () => {
    const [list, whole] = [helpOn(undefined, false), helpOn(undefined, true)];
    for (const name of names) {
      expect(list).toMatch(new RegExp(`^  ${name} `, 'm'));
      expect(whole).toContain(helpOn(name, true));
      for (const option of COMMANDS.get(name)?.options ?? []) expect(helpOn(name, true)).toContain(`--${option}`);
    }
    expect(COMMANDS.get('run')?.options).toHaveLength(23);
    expect(helpOn('run', false)).not.toContain('--probe');
    expect(helpOn('run', true)).toContain('\n  --probe N ');
  });

  test('declares the options: with values, with several, and flags', () => {
    expect(OPTIONS.updates).toEqual({ type: 'string', multiple: false });
    expect(OPTIONS.set).toEqual({ type: 'string', multiple: true });
    expect(OPTIONS.host).toEqual({ type: 'string', multiple: false });
    expect(OPTIONS.csv).toEqual({ type: 'boolean', default: false });
    expect([COMMANDS.get('list'), COMMANDS.get('submit'), COMMANDS.get('merge')].map((one) => one?.subjects)).toEqual([
      0,
      2,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test('is printed, and nothing is trained, where a command asks for it', { timeout: 3 * LAB_TIMEOUT }, () => {
    expect(lab('run', 'gridworld-tiny', '--help')).toMatchObject({
      status: 0,
      stdout: helpOn('run', false),
      stderr: '',
    });
    expect(lab('-h').stdout).toBe(helpOn(undefined, false));
    expectRefusal(lab('dance', '--help'), /no command/);
  });

  test('needs little of the lab, so that it comes at once', { timeout: LAB_TIMEOUT }, () => {
    lab('--help');
    const folder = '.cache/run/src-cli-main';
    const read = new Set(['./entry.mjs']);
    for (const name of read) {
      const imports = readFileSync(join(folder, name), 'utf8').matchAll(/^import [^;]*?"(\.\/\w+\.mjs)"/gm);
      for (const [, to = ''] of imports) read.add(to);
    }
    const sizes = [...read].map((name) => statSync(join(folder, name)).size);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(200_000);
  });
});

test('a run that cannot be kept where it was told is not begun', { timeout: LAB_TIMEOUT }, () => {
  expectRefusal(lab('run', 'gridworld-tiny', '--out', file('file', '')), /file is no folder/);
});
