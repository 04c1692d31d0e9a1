/** A run that is done is kept, whether a folder was named or not, and its last lines are commands that go on from there. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { decodeLink } from '../../src/experiment/link/link';
import { LAB_COMMAND, LAB_TIMEOUT, labFiles } from '../support/lab';

const { at } = labFiles();
beforeAll(() => mkdirSync(at('here')));

const TINY = ['run', 'gridworld-tiny', '--backend', 'cpu', '--updates', '2', '--seeds', '0'];

/** `lab` as somebody calls it in a folder of their own. */
function lab(...args: string[]) {
  const [script = '', entry = ''] = LAB_COMMAND;
  const { UNMASK_RUNS: _, ...env } = process.env;
  const options = { cwd: at('here'), env, encoding: 'utf8', timeout: LAB_TIMEOUT } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(script), entry, ...args], options);
  expect(status, stderr).toBe(0);
  return { stdout, lines: stderr.trimEnd().split('\n') };
}

/** Arguments of the commands in lines, by the words before them. */
function commandsOf(lines: readonly string[]): Record<string, string[]> {
  const found = lines.map((line) => /^(.*?): *npm run -s lab -- (.*)$/.exec(line)).filter((one) => one !== null);
  return Object.fromEntries(found.map(([, words = '', command = '']) => [words, command.split(' ')]));
}

test('without a folder it is kept in lab-runs, the size is told, and every command goes on', {
  timeout: 2 * LAB_TIMEOUT,
}, () => {
  const { stdout, lines } = lab(...TINY, '--json');
  const result = JSON.parse(stdout);
  const [kept, ...last] = lines.slice(-6);
  expect(kept).toMatch(/^Kept in lab-runs\/gridworld-tiny-0\. It is the only run there, [\d,]+ MiB; delete what/);
  expect(JSON.parse(readFileSync(at('here/lab-runs/gridworld-tiny-0/result.json'), 'utf8'))).toEqual({
    ...result,
    wallSeconds: expect.any(Number),
  });
  const commands = commandsOf(last);
  expect(Object.keys(commands)).toEqual([
    'Train it longer',
    'Its curves',
    'A policy as a file',
    'Let it play',
    'As a link',
  ]);
  for (const command of Object.values(commands)) lab(...command);
  const checkpoint = at('here/lab-runs/gridworld-tiny-0/checkpoint.safetensors');
  expect(existsSync(checkpoint)).toBe(true);
  expect(commands['Train it longer']?.slice(-2)).toEqual(['--updates', '4']);
  const link = lab(...(commands['As a link'] as string[])).stdout.trim();
  expect(decodeLink(link.slice(link.indexOf('#')))).toMatchObject({ preset: 'gridworld-tiny', updates: 4 });
  const second = lab(...TINY);
  expect(second.stdout).toMatch(/^arm/);
  expect(second.lines.join('\n')).toMatch(
    /Kept in lab-runs\/gridworld-tiny-0-2\. There are 2 runs in lab-runs, [\d,]+ MiB/,
  );
});

test('with a folder its path and the commands are the last lines too, quoted where they must be', {
  timeout: 2 * LAB_TIMEOUT,
}, () => {
  const { lines } = lab(...TINY, '--out', 'my results');
  expect(lines.at(-6)).toBe('Kept in my results.');
  expect(lines.at(-5)).toMatch(/--resume 'my results' --updates 4$/);
  expect(readdirSync(join(at('here'), 'my results')).sort()).toEqual(['checkpoint.safetensors', 'result.json']);
  const share = lab(...TINY, '--shard', '1/2', '--out', 'R/1').lines;
  expect(share.slice(-2)).toEqual(['Kept in R/1.', 'With the other shares: npm run -s lab -- merge R/1 … --out DIR']);
  const sweep = lab(...TINY, '--sweep', 'batch.groupSize=2,4', '--out', 'S').lines;
  expect(sweep.filter((line) => line.startsWith('Kept in'))).toEqual([
    'Kept in S: sweep.json, sweep.txt, sweep.svg, and a run for each cell.',
  ]);
});
