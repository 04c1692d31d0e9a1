/**
 * The listener trained here and by TRL from the same model, with the same settings and tasks: what reaches TRL is a folder of `lab
 * scale` and the world as `lab serve` serves it. Run by hand, some 45 minutes of two busy cores; a run that is there is not made
 * again:
 *   node scripts/run.mjs bench/trlCurves.ts [--seeds=4] [--updates=40] [--python=python3] [--out=trl-curves]
 * It writes test/fixtures/measured/trl.json, a result with TRL's two arms beside the lab's, its charts in docs, and prints the
 * table of docs/scale.md. Ordinary stories are read after TRL's last update, and before the lab's.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ORDINARY } from '../src/environments/listener/ordinary';
import { drawTask } from '../src/environments/served/labWorld';
import { listener } from '../src/experiment/presets/worlds/listener';
import { RandomStream, STREAM } from '../src/foundation/philox';
import { createEnvironment } from '../src/train/population/shape';
import { counted } from './peers/options';
import { type Seed, tableOf } from './peers/trlTable';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '4' },
    updates: { type: 'string', default: '40' },
    python: { type: 'string', default: 'python3' },
    out: { type: 'string', default: 'trl-curves' },
  },
});
const seeds = counted('seeds', values.seeds, 1);
const updates = counted('updates', values.updates, 1);
const ARMS = ['action-mask', 'world-model'] as const;
const MODEL = 'public/models/stories260k';
const DATA = 'test/fixtures/measured/trl.json';
const CHARTS = ['return', 'observationCrossEntropy'] as const;

const preset = listener.experiment;
const environment = createEnvironment(preset);

/** Seeds by which the served world draws the tasks of a member of a run here, in their order. */
function servedTasks(seed: number): number[] {
  const [seedOf, drawn] = [new Map<string, number>(), (task: Int32Array) => task.join()];
  let next = 0;
  return Array.from({ length: updates * preset.batch.groups }, (_, at) => {
    const [update, group] = [Math.floor(at / preset.batch.groups), at % preset.batch.groups];
    const random = new RandomStream(preset.seed, STREAM.tasks, seed, update, group);
    const wanted = drawn(environment.drawTask(random, 'train', seed));
    while (!seedOf.has(wanted)) {
      const served = drawn(drawTask(environment, next, 'train'));
      if (!seedOf.has(served)) seedOf.set(served, next);
      next++;
    }
    return seedOf.get(wanted) as number;
  });
}

/** Runs a program to its end; its output goes to this one's stderr. */
function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.`);
}
const lab = (...args: string[]): void => run('node', ['scripts/run.mjs', 'src/cli/main.ts', ...args]);

/** The lab's own runs. */
function ours(): { experiment: object; arms: { id: string; seeds: Seed[] }[] } {
  const folder = join(values.out, 'lab');
  const file = join(folder, 'result.json');
  const chosen = ['--arms', ARMS.join(','), '--seeds', `0-${seeds - 1}`, '--updates', String(updates)];
  if (!existsSync(folder)) lab('run', 'listener', ...chosen, '--backend', 'cpu', '--out', folder);
  else if (!existsSync(file)) lab('run', '--resume', folder);
  return JSON.parse(readFileSync(file, 'utf8'));
}

interface Trained {
  readonly curve: Record<string, number[]>;
  readonly ordinaryCrossEntropy: number;
  readonly logged: readonly number[];
}

/** TRL's runs of an arm. */
async function theirs(arm: string): Promise<Seed[]> {
  const folder = resolve(values.out, arm);
  lab('scale', 'listener', '--arm', arm, '--set', `updates=${updates}`, '--to', 'trl', '--out', folder, '--force');
  const { server, url } = await served(join(folder, 'serve.sh'));
  try {
    return Array.from({ length: seeds }, (_, seed) => {
      const [asked, out] = ['asked', 'curve'].map((name) => join(folder, `${name}-${seed}.json`)) as [string, string];
      writeFileSync(asked, JSON.stringify({ seed, updates, tasks: servedTasks(seed), ordinary: ORDINARY }));
      if (!existsSync(out)) run(values.python, ['bench/peers/trlCurve.py', folder, MODEL, url, asked, out]);
      const { curve, ordinaryCrossEntropy }: Trained = JSON.parse(readFileSync(out, 'utf8'));
      const last = Array.from({ length: updates }, (_, at) => (at < updates - 1 ? null : ordinaryCrossEntropy));
      return { seed, curve: { ...curve, ordinaryCrossEntropy: last } };
    });
  } finally {
    server.kill('SIGTERM');
  }
}

async function served(script: string): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn('bash', [script, '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((answer) => server.stdout.once('data', (data) => answer(String(data))));
  return { server, url: JSON.parse(line).url };
}

const KEPT = [...CHARTS, 'successRate', 'ordinaryCrossEntropy'];
const brief = (value: number | null | undefined): number | null =>
  value == null ? null : Number(value.toPrecision(5));
const kept = ({ seed, curve }: Seed): Seed => ({
  seed,
  curve: Object.fromEntries(KEPT.map((metric) => [metric, (curve[metric] ?? []).map(brief)])),
});

mkdirSync(values.out, { recursive: true });
const own = ours();
const arms = [];
for (const id of ARMS) {
  const { name } = preset.arms.find((one) => one.id === id) as { name: string };
  const here = own.arms.find((one) => one.id === id)?.seeds ?? [];
  arms.push({ id, name: `${name}, the lab`, seeds: here.map(kept) });
  arms.push({ id: `trl-${id}`, name: `${name}, TRL`, seeds: (await theirs(id)).map(kept) });
}
const settings = arms.map(({ id, name }) => ({ ...preset.arms.find((one) => id.endsWith(one.id)), id, name }));
const experiment = { ...preset, title: 'The listener, trained here and by TRL', seeds, updates, arms: settings };
writeFileSync(DATA, `${JSON.stringify({ experiment, arms })}\n`);
for (const metric of CHARTS) lab('export', DATA, '--metric', metric, '--out', `docs/trl-${metric}.svg`);
console.log(tableOf({ arms }));
process.exit();
