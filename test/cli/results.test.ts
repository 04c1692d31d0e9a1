/** What a run leaves for other programs: its curves as CSV, parameters with names, and all of it in Python. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, type TestContext, test } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { layoutParameters, parameterSize } from '../../src/policy/parameters';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { decodeCheckpoint } from '../../src/train/run/checkpoint';
import { LAB_TIMEOUT, lab, labFiles } from '../support/lab';

const { at, file } = labFiles();
const TINY = ['run', 'gridworld-tiny', '--backend', 'cpu', '--arms', 'world-model'];
const checkpointIn = (folder: string) => decodeCheckpoint(readFileSync(at(`${folder}/checkpoint.safetensors`)));
const resultIn = (folder: string) => JSON.parse(readFileSync(at(`${folder}/result.json`), 'utf8'));

let csv = '';
beforeAll(() => {
  const { status, stdout, stderr } = lab(...TINY, '--updates', '3', '--out', at('run'), '--csv');
  expect(status, stderr).toBe(0);
  csv = stdout;
  file('curves.csv', csv);
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

test('lab merge prints them too, and keeps the names of parameters', { timeout: 2 * LAB_TIMEOUT }, () => {
  expect(lab(...TINY, '--updates', '3', '--shard', '1/1', '--out', at('shard')).status).toBe(0);
  expect(lab('merge', at('shard'), '--out', at('merged'), '--csv').stdout).toBe(csv);
  expect(checkpointIn('merged').layout).toEqual(checkpointIn('run').layout);
});

test('a checkpoint names its parameters', () => {
  const { layout, snapshot } = checkpointIn('run');
  const { experiment } = findPreset('gridworld-tiny') as NonNullable<ReturnType<typeof findPreset>>;
  const { specs, size } = layoutParameters(policyShape(experiment, createEnvironment(experiment)).configuration);
  expect(snapshot.tensors.parameters).toHaveLength(2 * size);
  expect(layout).toEqual(specs.map(({ name, shape, offset }) => ({ name, shape, offset })));
});

/** What Python prints as JSON, with docs/unmask_results.py as `unmask`; skips where numpy, or python3, is not there. */
function python(context: TestContext, program: string): unknown {
  const start =
    'import json, sys; sys.path.insert(0, "docs"); sys.dont_write_bytecode = True; import unmask_results as unmask';
  const { stdout, stderr, status, error } = spawnSync('python3', ['-c', `${start}\n${program}`], { encoding: 'utf8' });
  if (error !== undefined || stderr.includes("No module named 'numpy'"))
    context.skip('There is no python3 with numpy.');
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('Python reads the curves of the folder and of the CSV alike', (context) => {
  const program = `
def told(place):
    table = unmask.curves(place)
    return {name: [None if x != x else x for x in table[name].tolist()] for name in list(table)}
print(json.dumps([told(place) for place in ${JSON.stringify([at('run'), at('curves.csv')])}]))`;
  const [ofFolder, ofCsv] = python(context, program) as Record<string, unknown>[];
  const [head = [], ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const cell = (name: string, text = '') => (name === 'arm' ? text : text === '' ? null : Number(text));
  expect(ofCsv).toEqual(Object.fromEntries(head.map((name, i) => [name, rows.map((row) => cell(name, row[i]))])));
  expect(ofFolder).toEqual(ofCsv);
});

test('Python reads a member’s parameters by name', (context) => {
  const program = `
named = unmask.parameters("${at('run')}", "world-model", 1, of="firstMoment")
print(json.dumps({name: [list(one.shape), one.ravel().tolist()] for name, one in named.items()}))`;
  const { layout = [], snapshot } = checkpointIn('run');
  const row = snapshot.tensors.firstMoment.subarray(snapshot.tensors.firstMoment.length / 2);
  const expected = layout.map(({ name, shape, offset }) => {
    const size = parameterSize({ shape } as Parameters<typeof parameterSize>[0]);
    return [name, [shape, Array.from(row.subarray(offset, offset + size))]];
  });
  expect(python(context, program)).toEqual(Object.fromEntries(expected));
});

test('Python reads a checkpoint of the first release, and says that it has no names', (context) => {
  const run = 'test/fixtures/releases/0.1.0/runs/plain';
  const program = `
about, tensors = unmask.checkpoint("${run}")
try:
    unmask.parameters("${run}", about["members"][0]["arm"], 0)
except ValueError as error:
    print(json.dumps([str(error), list(tensors["parameters"].shape), len(about["members"])]))`;
  const { snapshot } = decodeCheckpoint(readFileSync(`${run}/checkpoint.safetensors`));
  const members = snapshot.members.length;
  const shape = [members, snapshot.tensors.parameters.length / members];
  expect(python(context, program)).toEqual([expect.stringContaining('had names'), shape, members]);
});
