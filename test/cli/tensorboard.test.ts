/** TensorBoard's files of a run: the bytes that TensorBoard itself writes, each update once, whatever became of the run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Drive } from '../../src/cli/run/drive';
import { RunFolder } from '../../src/cli/run/runFolder';
import { EventFiles, tagOf } from '../../src/cli/run/tensorboard';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { membersOf } from '../../src/rl/population';
import { pointsIn } from '../support/eventFiles';
import { expectRefusal, LAB_TIMEOUT, lab, labFiles } from '../support/lab';
import { isNightly } from '../support/nightly';
import { ScriptedTraining } from '../support/scriptedTraining';

const { at } = labFiles();
const experiment = findPreset('gridworld-tiny')?.experiment as NonNullable<ReturnType<typeof findPreset>>['experiment'];
const members = membersOf(experiment.arms.slice(0, 1), [7]);

/** Metrics of a member, the others not measured. */
function measured(values: Partial<Record<MetricName, number>>): Float32Array {
  const row = new Float32Array(METRICS.length).fill(Number.NaN);
  for (const [name, value] of Object.entries(values)) row[METRIC[name as MetricName]] = value;
  return row;
}

/** Folder of the member in a folder of files. */
function memberIn(name: string): string {
  const folder = join(at(name), experiment.preset, experiment.arms[0]?.id ?? '', '7');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** What TensorBoard 2.21 writes of the same three events: its version, a start at 3, two values at 300. */
const GOLDEN =
  '1800000000000000a37f4b220900001000de39da411a0d627261696e2e4576656e743a32766721520f000000000000006d532b090900001000de39da4110033a02080121792f89440000000000000043592e9a0900001000de39da4110ac022a360a1a0a13737563636573732f7375636365737352617465150000403f0a180a116772616469656e742f677261644e6f726d150000c03f9759b895';

test('a file is that of TensorBoard, byte for byte', () => {
  const folder = memberIn('golden');
  writeFileSync(join(folder, 'events.out.tfevents.0.unmask'), '');
  vi.useFakeTimers({ now: 1_760_000_000_250 });
  const files = new EventFiles(at('golden'), experiment, members, 3, new Float32Array(3 * METRICS.length));
  files.add(300, measured({ successRate: 0.75, gradNorm: 1.5 }));
  vi.useRealTimers();
  files.close();
  expect(readFileSync(join(folder, 'events.out.tfevents.1760000000250.unmask')).toString('hex')).toBe(GOLDEN);
});

test('a run that had no files begins with all that was measured, and one that goes back has each update once', () => {
  const folder = memberIn('back');
  const row = (update: number): Float32Array => measured({ successRate: update / 8 });
  const before = Float32Array.from([0, 1].flatMap((update) => [...row(update)]));
  const files = new EventFiles(at('back'), experiment, members, 2, before);
  for (const update of [2, 3, 4]) files.add(update, row(update));
  files.goBack(3);
  files.add(3, row(3.5));
  const expected = [
    [0, 0],
    [1, 0.125],
    [2, 0.25],
    [3, 0.4375],
  ];
  expect(Object.fromEntries(pointsIn(folder))).toEqual({ 'success/successRate': expected });
  files.close();
});

test('a run that was killed beyond its last save has each update once, also by a clock that is late', () => {
  const folder = memberIn('killed');
  const row = (update: number): Float32Array => measured({ successRate: update / 8 });
  const first = new EventFiles(at('killed'), experiment, members, 0, new Float32Array());
  for (const update of [0, 1, 2, 3]) first.add(update, row(update));
  first.close();
  vi.useFakeTimers({ now: 1_760_000_000_250 });
  const second = new EventFiles(at('killed'), experiment, members, 2, new Float32Array(2 * METRICS.length));
  vi.useRealTimers();
  for (const update of [2, 3, 4]) second.add(update, row(update + 1));
  second.close();
  const expected = [0, 1, 3, 4, 5].map((value, update) => [update, value / 8]);
  expect(Object.fromEntries(pointsIn(folder))).toEqual({ 'success/successRate': expected });
});

test('every metric has a tag of its own, in a group of several', () => {
  const tags = METRICS.map(tagOf);
  expect(new Set(tags).size).toBe(METRICS.length);
  const groups = tags.map((tag) => tag.split('/')[0]);
  for (const group of groups) expect(groups.filter((one) => one === group).length, group).toBeGreaterThan(2);
});

test('a disk that takes no more is told once, and training goes on', async () => {
  const training = new ScriptedTraining({ ...experiment, updates: 3 });
  for (const { arm, seed } of training.members) {
    mkdirSync(join(at('full'), experiment.preset, arm, String(seed)), { recursive: true });
  }
  const events = new EventFiles(at('full'), experiment, training.members, 0, new Float32Array());
  events.close();
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const about = { backend: 'cpu' as const, adapter: 'none', machines: [], saved: null };
  const folder = RunFolder.at(at('full-run'));
  const drive = new Drive(training, { ...about, experiment: training.experiment, folder, events });
  expect(await drive.run()).toBe(true);
  spy.mockRestore();
  await folder.close();
  expect(said.join('').match(/TensorBoard hears no more of this run/g)).toHaveLength(1);
  expect(events.failure?.code).toBe('storage');
});

const TINY = ['run', 'gridworld-tiny', '--backend', 'cpu', '--arms', 'world-model'];

/** Success by update, as TensorBoard itself reads it. */
const READER = `
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0}).Reload()
print(json.dumps({tag: [[one.step, one.value] for one in events.Scalars(tag)] for tag in events.Tags()["scalars"]}))
`;

test('a run and its sequel have the numbers of the result, and no other run is mixed in', {
  timeout: 4 * LAB_TIMEOUT,
}, (context) => {
  const [out, board] = [at('run'), at('board')];
  expect(lab(...TINY, '--updates', '3', '--out', out, '--tensorboard', board).status).toBe(0);
  expectRefusal(lab(...TINY, '--updates', '3', '--tensorboard', board), /another run’s events in .*world-model\/0/);
  const { status, stderr } = lab('run', '--resume', out, '--updates', '5', '--tensorboard', board);
  expect(status, stderr).toBe(0);
  const { arms } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  const folder = (seed: number): string => join(board, 'gridworld-tiny/world-model', String(seed));
  for (const { seed, curve } of arms[0].seeds) {
    expect(readdirSync(folder(seed))).toHaveLength(2);
    const expected = METRICS.flatMap((metric) => {
      const points = (curve[metric] ?? []).flatMap((value: number | null, update: number) =>
        value === null ? [] : [[update, value]],
      );
      return points.length === 0 ? [] : [[tagOf(metric), points]];
    });
    expect(Object.fromEntries(pointsIn(folder(seed)))).toEqual(Object.fromEntries(expected));
    if (!isNightly) continue;
    const read = spawnSync('python3', ['-c', READER, folder(seed)], { encoding: 'utf8' });
    if (/No module named|ENOENT/.test(`${read.stderr} ${read.error}`)) context.skip('python3 has no tensorboard here');
    expect(read.status, read.stderr).toBe(0);
    expect(JSON.parse(read.stdout)).toEqual(Object.fromEntries(expected));
  }
});
