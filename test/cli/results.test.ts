/** What a run leaves for other programs: its curves as CSV. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { LAB_TIMEOUT, lab, labFiles } from '../support/lab';

const { at } = labFiles();
const TINY = ['run', 'gridworld-tiny', '--backend', 'cpu', '--arms', 'world-model'];
const resultIn = (folder: string) => JSON.parse(readFileSync(at(`${folder}/result.json`), 'utf8'));

let csv = '';
beforeAll(() => {
  const { status, stdout, stderr } = lab(...TINY, '--updates', '3', '--out', at('run'), '--csv');
  expect(status, stderr).toBe(0);
  csv = stdout;
}, LAB_TIMEOUT);

test('--csv prints the curves that the result has', () => {
  const [head = [], ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  expect(head.slice(0, 4)).toEqual(['arm', 'seed', 'update', 'successRate']);
  const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
  expect(column('update')).toEqual(['0', '1', '2', '0', '1', '2']);
  const curves = resultIn('run').arms[0].seeds.map(({ curve }: { curve: Record<string, number[]> }) => curve.gradNorm);
  expect(column('gradNorm')).toEqual(curves.flat().map(String));
});

test('lab merge prints them too', { timeout: 2 * LAB_TIMEOUT }, () => {
  expect(lab(...TINY, '--updates', '3', '--shard', '1/1', '--out', at('shard')).status).toBe(0);
  expect(lab('merge', at('shard'), '--out', at('merged'), '--csv').stdout).toBe(csv);
});
