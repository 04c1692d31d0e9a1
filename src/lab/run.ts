/**
 * `lab run`: trains an experiment to its end, or to Ctrl-C, and tells the result. Saves every so often, so that a run that
 * was interrupted, even hard, can be continued with --resume.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Experiment } from '../experiment/experiment';
import { parseExperiment } from '../experiment/parse';
import { LabError } from '../foundation/errors';
import { METRICS } from '../rl/metrics';
import { type ChosenBackend, chooseBackend } from '../train/backends';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from '../train/checkpoint';
import type { BackendChoice } from '../train/protocol';
import { chooseMembers, type Training } from '../train/training';
import { readExperiment } from './experimentArgument';
import { createNodeGpu } from './nodeGpu';
import { threadPool } from './poolThread';
import { ProgressBar } from './progressBar';
import { buildResult, type Interval, type RunResult } from './result';

export interface RunOptions {
  updates?: string | undefined;
  seeds?: string | undefined;
  arms?: string | undefined;
  set?: string[] | undefined;
  backend: string;
  workers?: string | undefined;
  out?: string | undefined;
  resume?: string | undefined;
  json: boolean;
}

const SAVE_EVERY_SECONDS = 60;
const CHOICES: readonly string[] = ['auto', 'webgpu', 'cpu', 'reference'] satisfies BackendChoice[];

export async function runCommand(subject: string | undefined, options: RunOptions): Promise<number> {
  const saved = options.resume === undefined ? null : await readCheckpoint(options.resume);
  const experiment = restrict(
    saved === null ? await readExperiment(subject, options.set ?? []) : parseExperiment(saved.experiment),
    options,
  );
  const seeds = saved?.snapshot.members.map((member) => member.seed) ?? parseSeeds(options.seeds, experiment.seeds);
  const directory = options.out ?? options.resume ?? join('lab-runs', `${experiment.preset}-${experiment.seed}`);
  const { result, complete } = await train(experiment, [...new Set(seeds)], options, saved, directory);
  if (options.out !== undefined || options.resume !== undefined)
    await save(directory, 'result.json', JSON.stringify(result));
  if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else printTable(result);
  if (!complete) process.stderr.write(`Stopped early. Continue with: npm run -s lab -- run --resume ${directory}\n`);
  return complete ? 0 : 130;
}

async function train(
  experiment: Experiment,
  seeds: readonly number[],
  options: RunOptions,
  saved: Checkpoint | null,
  directory: string,
): Promise<{ result: RunResult; complete: boolean }> {
  const chosen = await chooseBackendFor(options, chooseMembers(experiment, { seeds }).length);
  process.stderr.write(`Runs on ${chosen.description}: ${chosen.reason}.\n`);
  const trainer = chosen.train(experiment, { seeds });
  try {
    await trainer.prepare();
    if (saved !== null) await trainer.restore(saved.snapshot);
    return await drive(trainer, chosen, experiment, options, saved, directory);
  } finally {
    // Threads left alone would keep the process alive.
    trainer.dispose();
  }
}

async function drive(
  trainer: Training,
  chosen: ChosenBackend,
  experiment: Experiment,
  options: RunOptions,
  saved: Checkpoint | null,
  directory: string,
): Promise<{ result: RunResult; complete: boolean }> {
  const columns = trainer.members.length * METRICS.length;
  const curves = new Float32Array(experiment.updates * columns);
  curves.set(saved?.curves.subarray(0, curves.length) ?? []);
  const bar = new ProgressBar(experiment.updates, trainer.finished);
  let tokens = saved?.tokens ?? 0;
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    process.stderr.write('\nStopping after this update; press Ctrl-C again to stop at once.\n');
  };
  process.on('SIGINT', stop);
  const started = performance.now();
  let lastSave = started;
  const keep = async (): Promise<void> => {
    const snapshot = await trainer.snapshot();
    const finished = curves.subarray(0, snapshot.update * columns);
    await save(
      directory,
      'checkpoint.safetensors',
      encodeCheckpoint({ snapshot, experiment, curves: finished, tokens }),
    );
  };
  let lost: LabError | null = null;
  void trainer.lost.then((error) => {
    lost = error;
  });
  let pending: Promise<void> = Promise.resolve();
  while (trainer.finished < experiment.updates && !stopping) {
    const { update, metrics, tokens: processed } = await trainer.runUpdate();
    await pending;
    if (lost !== null) throw lost;
    pending = metrics.then((values) => curves.set(values, update * columns));
    tokens += processed;
    bar.advance(trainer.finished, processed);
    // Lets a signal in: a backend that never leaves this thread would otherwise starve it.
    await new Promise((resolve) => setImmediate(resolve));
    if (options.out !== undefined && performance.now() - lastSave > SAVE_EVERY_SECONDS * 1000) {
      await pending;
      await keep();
      lastSave = performance.now();
    }
  }
  await pending;
  bar.end();
  const complete = trainer.finished >= experiment.updates;
  if (!complete || options.out !== undefined || options.resume !== undefined) await keep();
  process.off('SIGINT', stop);
  const result = buildResult(
    {
      experiment: trainer.experiment,
      backend: chosen.kind,
      adapter: chosen.adapter,
      wallSeconds: (performance.now() - started) / 1000,
      tokens,
    },
    trainer.members,
    curves.subarray(0, trainer.finished * columns),
  );
  return { result, complete };
}

async function chooseBackendFor(options: RunOptions, members: number): Promise<ChosenBackend> {
  const { backend: choice, workers } = options;
  if (!CHOICES.includes(choice)) {
    throw new LabError('unsupported', `There is no backend “${choice}”.`, `Choose one of: ${CHOICES.join(', ')}.`);
  }
  const needsGpu = choice === 'auto' || choice === 'webgpu';
  const gpu = needsGpu ? await createNodeGpu().catch(() => undefined) : undefined;
  const wanted = workers === undefined ? undefined : wholeNumber(workers, '--workers');
  const pool = threadPool(members, wanted, new URL(import.meta.url));
  return chooseBackend(choice as BackendChoice, gpu?.gpu, pool);
}

/** Keeps the arms and the number of updates asked for. */
function restrict(experiment: Experiment, options: RunOptions): Experiment {
  const wanted = options.arms?.split(',');
  const unknown = wanted?.find((id) => !experiment.arms.some((arm) => arm.id === id));
  if (unknown !== undefined) {
    const known = experiment.arms.map((arm) => arm.id).join(', ');
    throw new LabError('invalid-experiment', `There is no arm “${unknown}”.`, `Arms are: ${known}.`);
  }
  const arms = experiment.arms.filter((arm) => wanted === undefined || wanted.includes(arm.id));
  const kept = new Set(['*', ...arms.map((arm) => arm.id)]);
  const updates = options.updates === undefined ? experiment.updates : wholeNumber(options.updates, '--updates');
  const timeline = experiment.timeline.filter((change) => kept.has(change.arm) && change.update < updates);
  return parseExperiment({ ...experiment, arms, updates, timeline });
}

function parseSeeds(text: string | undefined, count: number): number[] {
  if (text === undefined) return Array.from({ length: count }, (_, i) => i);
  return text.split(',').flatMap((part) => {
    const [from, to] = part.split('-').map((number) => wholeNumber(number, '--seeds'));
    const first = from ?? 0;
    return Array.from({ length: Math.max(0, (to ?? first) - first + 1) }, (_, i) => first + i);
  });
}

function wholeNumber(text: string, option: string): number {
  if (!/^\d{1,6}$/.test(text)) {
    throw new LabError('invalid-experiment', `${option} needs whole numbers, not “${text}”.`, 'See --help.');
  }
  return Number(text);
}

async function readCheckpoint(directory: string): Promise<Checkpoint> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(join(directory, 'checkpoint.safetensors'));
  } catch (cause) {
    const what = `There is no checkpoint in ${directory}.`;
    throw new LabError('invalid-experiment', what, 'Name the folder that an interrupted run left.', { cause });
  }
  return decodeCheckpoint(bytes);
}

async function save(directory: string, name: string, data: string | Uint8Array): Promise<void> {
  await mkdir(directory, { recursive: true });
  const draft = join(directory, `.${name}.${process.pid}`);
  await writeFile(draft, data);
  await rename(draft, join(directory, name));
}

function printTable(result: RunResult): void {
  const cell = (value: Interval): string => {
    const show = (x: number | null): string => (x === null ? '–' : x.toFixed(3));
    return `${show(value.mean)} [${show(value.low)}, ${show(value.high)}]`;
  };
  process.stdout.write(
    `${'arm'.padEnd(20)} ${'success, last 20'.padEnd(24)} ${'area under curve'.padEnd(24)} updates to 50%\n`,
  );
  for (const { id, summary } of result.arms) {
    const reached = (summary.updatesTo['0.5'] ?? []).map((update) => update ?? '–').join(' ');
    process.stdout.write(
      `${id.padEnd(20)} ${cell(summary.final).padEnd(24)} ${cell(summary.auc).padEnd(24)} ${reached}\n`,
    );
  }
}
