/** What a run leaves for other programs: its curves as tables and pictures, parameters with names, and all of it in Python. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, type TestContext, test, vi } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { MetricHistory } from '../../src/measured/history';
import { layoutParameters, parameterSize } from '../../src/policy/parameters';
import { METRICS } from '../../src/rl/measure/metrics';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { decodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { unpackSafetensors } from '../../src/train/run/keep/safetensors';
import { dataJson } from '../../src/ui/model/files/data';
import { expectRefused, LAB_COMMAND, LAB_TIMEOUT, lab, labFiles, printed } from '../support/lab';
import { isNightly } from '../support/nightly';

const { at, file } = labFiles();
const TINY = ['run', 'gridworld-tiny', '--backend', 'cpu', '--arms', 'world-model'];
const checkpointIn = (folder: string) => decodeCheckpoint(readFileSync(at(`${folder}/checkpoint.safetensors`)));
const resultIn = (folder: string) => JSON.parse(readFileSync(at(`${folder}/result.json`), 'utf8'));

let csv = '';
beforeAll(() => {
  const stdout = printed(lab(...TINY, '--updates', '3', '--out', at('run'), '--csv'));
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

function exported(from: string, name: string, ...more: string[]): string {
  printed(lab('export', from, '--out', at(name), ...more));
  return at(name);
}

test('lab export writes the same table, of the folder and of result.json alone', { timeout: 2 * LAB_TIMEOUT }, () => {
  for (const from of ['run', 'run/result.json']) {
    expect(readFileSync(exported(at(from), 'again.csv'), 'utf8')).toBe(csv);
  }
});

test('lab export reads runs of every release', { timeout: 5 * LAB_TIMEOUT }, () => {
  for (const release of readdirSync('test/fixtures/releases')) {
    const run = `test/fixtures/releases/${release}/runs/plain`;
    const [ofCheckpoint, ofResult] = [run, `${run}/result.json`].map((from, i) =>
      readFileSync(exported(from, `old-${i}.csv`), 'utf8'),
    );
    // The checkpoint was saved before the run's end.
    expect(ofCheckpoint?.split('\n').length).toBeGreaterThan(3);
    expect(ofResult?.startsWith(ofCheckpoint ?? '–')).toBe(true);
    const { arms } = JSON.parse(readFileSync(`${run}/result.json`, 'utf8'));
    const [{ id, seeds }] = arms;
    expect(ofResult?.split('\n')[1]).toMatch(`${id},${seeds[0].seed},0,${seeds[0].curve.successRate[0]},`);
    expect(readFileSync(exported(run, 'old.svg'), 'utf8')).toContain('Success rate');
  }
});

test('lab export reads the file of all numbers that the page saves', { timeout: LAB_TIMEOUT }, () => {
  const { arms } = resultIn('run');
  const seeds: { curve: Record<string, (number | null)[]> }[] = arms[0].seeds;
  const numbers = [0, 1, 2].flatMap((update) =>
    seeds.flatMap(({ curve }) => METRICS.map((metric) => curve[metric]?.[update] ?? Number.NaN)),
  );
  const history = MetricHistory.of(1, 2, Float32Array.from(numbers), new Float32Array(3));
  const { experiment } = resultIn('run');
  const page = file('page.json', [...dataJson(experiment, history)].join(''));
  expect(readFileSync(exported(page, 'page.csv'), 'utf8')).toBe(csv);
  expect(readFileSync(exported(page, 'page.svg'), 'utf8')).toContain('>World model</text>');
});

test('lab export reads a run that still trains, as it was last saved', { timeout: 2 * LAB_TIMEOUT }, async () => {
  const command = [...LAB_COMMAND, ...TINY, '--updates', '100000', '--out', at('running')];
  const running = spawn(process.execPath, command, { stdio: 'ignore' });
  try {
    await vi.waitUntil(() => existsSync(at('running/checkpoint.safetensors')), { timeout: LAB_TIMEOUT });
    const rows = readFileSync(exported(at('running'), 'running.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    expect(running.exitCode).toBe(null);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.length % 2).toBe(0);
    expect(existsSync(at('running/result.json'))).toBe(false);
  } finally {
    running.kill('SIGKILL');
  }
});

test('as Parquet it has the same numbers, and pandas reads it', { timeout: LAB_TIMEOUT }, async (context) => {
  const path = exported(at('run'), 'curves.parquet');
  const bytes = readFileSync(path);
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  });
  const asText = rows.map((row) =>
    Object.values(row)
      .map((value) => (value === null ? '' : String(value)))
      .join(),
  );
  expect([Object.keys(rows[0] ?? {}).join(), ...asText].join('\n')).toBe(csv.trimEnd());
  if (!isNightly) return;
  const program = `import pandas; print(pandas.read_parquet("${path}").to_csv(index=False, na_rep=""), end="")`;
  const { stdout, stderr, status, error } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  if (/No module named|ENOENT|optional dependency/.test(`${stderr} ${error}`))
    context.skip('There is no python3 with pandas and pyarrow.');
  expect(status, stderr).toBe(0);
  const numbers = (text: string) =>
    text
      .trim()
      .split(/[\n,]/)
      .map((cell) => (Number.isNaN(Number(cell)) ? cell : Math.fround(Number(cell))));
  expect(numbers(stdout)).toEqual(numbers(csv));
});

test('as SVG a metric is a chart that needs no stylesheet', { timeout: 2 * LAB_TIMEOUT }, () => {
  const svg = readFileSync(exported(at('run'), 'success.svg'), 'utf8');
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(svg).not.toMatch(/var\(|NaN|undefined|class=/);
  for (const words of [
    'Success rate, of episodes',
    '>World model</text>',
    '>random policy</text>',
    'highest of 2 seeds',
  ]) {
    expect(svg).toContain(words);
  }
  // The line of the mean runs through as many points as there are updates.
  const [line = ''] = /d="M[^"]*" fill="none" stroke="#b34d14"/.exec(svg) ?? [];
  expect(line.match(/[ML]/g)).toHaveLength(3);
  expect(readFileSync(exported(at('run/result.json'), 'norm.svg', '--metric', 'gradNorm'), 'utf8')).toContain(
    'Gradient norm',
  );
});

test('a policy as safetensors has its tensors under their names', { timeout: LAB_TIMEOUT }, () => {
  const path = exported(at('run'), 'policy.safetensors', '--member', 'world-model/1');
  const { names, array } = unpackSafetensors(readFileSync(path));
  const { layout = [], snapshot } = checkpointIn('run');
  expect(names).toEqual(layout.map(({ name }) => name));
  const row = snapshot.tensors.parameters.subarray(snapshot.tensors.parameters.length / 2);
  for (const { name, offset } of layout) expect(array(name)).toEqual(row.subarray(offset, offset + array(name).length));
});

describe('lab export refuses', () => {
  test.each([
    [['run', '--out', 'x.svg', '--metric', 'succesRate'], /“succesRate” was not measured.*Did you mean successRate\?/],
    [['run', '--out', 'x.csv', '--metric', 'kl'], /x\.csv has no use for --metric/],
    [['run', '--out', 'x.parquet', '--member', 'world-model/0'], /x\.parquet has no use for --member/],
    [['run', '--out', 'run/result.json'], /Nothing is written as \.json\. Choose one of: \.onnx/],
    [['run', '--out', 'run/success.png'], /No pixels are drawn here\. Write \.svg/],
    [['run', '--out', 'run/checkpoint.safetensors', '--member', 'world-model/0'], /would destroy/],
    [['curves.csv', '--out', 'x.csv'], /curves\.csv cannot be read as a result/],
    [['run', '--out', 'note.csv'], /note\.csv already, and it is not a file of curves/],
  ])('%j', { timeout: LAB_TIMEOUT }, async ([from = '', ...args], words) => {
    file('note.csv', 'a note');
    await expectRefused(
      ['export', at(from), ...args.map((arg) => (/^--|\/\d$|^\w+$/.test(arg) ? arg : at(arg)))],
      words,
    );
    expect(existsSync(at('x.csv')) || existsSync(at('x.svg'))).toBe(false);
  });
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
function python(context: TestContext, program: string, ...options: string[]): unknown {
  const start =
    'import json, sys; sys.path.insert(0, "docs"); sys.dont_write_bytecode = True; import unmask_results as unmask';
  const args = [...options, '-c', `${start}\n${program}`];
  const { stdout, stderr, status, error } = spawnSync('python3', args, { encoding: 'utf8' });
  if (error !== undefined || stderr.includes("No module named 'numpy'"))
    context.skip('There is no python3 with numpy.');
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('Python reads the curves of the folder and of the CSV alike, with its standard library alone', (context) => {
  const program = `
def told(place):
    table = unmask.curves(place)
    return {name: [None if x != x else x for x in list(table[name])] for name in list(table)}
print(json.dumps([told(place) for place in ${JSON.stringify([at('run'), at('curves.csv')])}]))`;
  // -S: no packages.
  const [ofFolder, ofCsv] = python(context, program, '-S') as Record<string, unknown>[];
  expect(python(context, program)).toEqual([ofFolder, ofCsv]);
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

test.runIf(isNightly)('the program for Weights & Biases logs every member', { timeout: LAB_TIMEOUT }, (context) => {
  const [, program = ''] = /```python\n([^`]*wandb[^`]*)```/.exec(readFileSync('docs/results.md', 'utf8')) ?? [];
  const named = `import sys; sys.path.insert(0, "${resolve('docs')}")\n${program.replace('"tiny"', `"${at('run')}"`)}`;
  mkdirSync(at('wandb'), { recursive: true });
  const env = { ...process.env, WANDB_MODE: 'offline', WANDB_SILENT: 'true', PYTHONDONTWRITEBYTECODE: '1' };
  const { stderr, status, error } = spawnSync('python3', ['-c', named], { cwd: at('wandb'), env, encoding: 'utf8' });
  if (/No module named|ENOENT|has no attribute 'groupby'/.test(`${stderr} ${error}`))
    context.skip('There is no python3 with wandb and pandas.');
  expect(status, stderr).toBe(0);
  const files = readdirSync(at('wandb'), { recursive: true, encoding: 'utf8' });
  const runs = files.filter((name) => /^wandb\/offline-run[^/]*\/[^/]*\.wandb$/.test(name));
  expect(runs).toHaveLength(2);
  for (const name of runs) expect(readFileSync(join(at('wandb'), name), 'latin1')).toContain('successRate');
});
