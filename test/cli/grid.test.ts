// `lab run --sweep` over several populations: the ordinary runs' numbers, gone on with after a kill, and sharded.
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  expectRefusal,
  LAB_COMMAND,
  LAB_TIMEOUT,
  labFiles,
  labHere,
  labResult,
  printed,
  resultHere,
} from '../support/lab';

const TINY = ['gridworld-tiny', '--backend', 'cpu', '--workers', '1', '--arms', 'world-model'];
const SIZES = ['run', ...TINY, '--sweep', 'batch.groupSize=2,4'];
const { at } = labFiles();

interface Arms {
  arms: { seeds: { curve: { successRate: number[] } }[] }[];
}

const read = (...path: string[]) => JSON.parse(readFileSync(at(path.join('/')), 'utf8'));
const cellRun = (folder: string, cell: string): Arms => read(folder, 'cells', cell, 'result.json');

/** Runs a command until it says something on stderr, sends it a signal, and gives its exit code. */
function until(words: RegExp, signal: 'SIGTERM' | 'SIGKILL', ...args: string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...LAB_COMMAND, ...args], { timeout: LAB_TIMEOUT });
    let [said, isTold] = ['', false];
    child.stderr.on('data', (text) => {
      said += String(text);
      if (isTold || !words.test(said)) return;
      isTold = true;
      child.kill(signal);
    });
    child.on('exit', (code) => resolve(code));
  });
}

describe('a sweep over populations', () => {
  const all = [...SIZES, '--updates', '60', '--seeds', '0-1'];

  test('has the numbers of the ordinary runs, as JSON, table and picture', { timeout: LAB_TIMEOUT }, async () => {
    const swept = labResult<{ cells: { values: string[]; arms: object[] }[] }>(...all, '--out', at('whole'));
    expect(swept.cells.map(({ values }) => values)).toEqual([['2'], ['4']]);
    const set = ['--updates', '60', '--seeds', '0-1', '--set', 'batch.groupSize=4'];
    const alone = await resultHere<Arms>('run', ...TINY, ...set);
    expect(cellRun('whole', '002').arms).toEqual(alone.arms);
    expect(read('whole', 'sweep.json')).toEqual(swept);
    expect(readFileSync(at('whole/sweep.txt'), 'utf8')).toMatch(/^batch\.groupSize +arm .*\n2 +world-model .*\[.*\n4 /);
    expect(readFileSync(at('whole/sweep.svg'), 'utf8').match(/<circle/g)).toHaveLength(4);
    expectRefusal(await labHere(...all, '--out', at('whole')), /There is a run in .* already/);
  });

  test('goes on where it was stopped, and where it was killed', { timeout: LAB_TIMEOUT }, async () => {
    const second = /Cell 2 of 2.*update 1 of/s;
    expect(await until(second, 'SIGTERM', ...all, '--out', at('cut'))).toBe(130);
    const first = statSync(at('cut/cells/001/result.json')).mtimeMs;
    const reached = cellRun('cut', '002').arms[0]?.seeds[0]?.curve.successRate.length ?? 0;
    expect(reached).toBeGreaterThan(0);
    expect(reached).toBeLessThan(60);
    expect(await until(/Runs on/, 'SIGKILL', 'run', '--resume', at('cut'))).toBe(null);
    expectRefusal(await labHere('run', '--resume', at('cut'), '--updates', '70'), /keeps its plan: --updates/);
    const swept = await resultHere<{ cells: { arms: object[] }[] }>('run', '--resume', at('cut'));
    expect(swept.cells.map(({ arms }) => arms)).toEqual(
      read('whole', 'sweep.json').cells.map(({ arms }: { arms: object[] }) => arms),
    );
    expect(cellRun('cut', '002').arms).toEqual(cellRun('whole', '002').arms);
    expect(statSync(at('cut/cells/001/result.json')).mtimeMs).toBe(first);
  });

  test('is the same in shards', { timeout: LAB_TIMEOUT }, async () => {
    for (const shard of ['1', '2']) {
      printed(await labHere(...all, '--shard', `${shard}/2`, '--out', at(`shards/${shard}`)));
    }
    expectRefusal(await labHere('merge', at('shards/1'), '--out', at('shards/part')), /members 1 are missing/);
    await labHere('merge', at('shards/1'), at('shards/2'), '--out', at('shards/all'));
    expect(cellRun('shards/all', '002').arms).toEqual(cellRun('whole', '002').arms);
    const cells = (folder: string) => read(folder, 'sweep.json').cells.map(({ arms }: { arms: object[] }) => arms);
    expect(cells('shards/all')).toEqual(cells('whole'));
  });

  test('is a link, which runs it', { timeout: LAB_TIMEOUT }, async () => {
    const { stdout } = await labHere(
      'link',
      'gridworld-tiny',
      '--arms',
      'world-model',
      '--sweep',
      'policy.width=16,32',
    );
    expect(stdout).toContain('&sweep=policy.width:16,32');
    const run = ['run', stdout.trim(), '--backend', 'cpu', '--updates', '2', '--seeds', '0'];
    expectRefusal(await labHere(...run), /Add --out DIR/);
    const { cells } = await resultHere<{ cells: { values: string[] }[] }>(...run, '--out', at('linked'));
    expect(cells.map(({ values }) => values)).toEqual([['16'], ['32']]);
  });
});
