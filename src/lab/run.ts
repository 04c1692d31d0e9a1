/** `lab run`: trains an experiment to its end, or until Ctrl-C, and prints the result. */
import { recordMachine } from '../experiment/machines';
import { FINAL_UPDATES, final } from '../experiment/statistics';
import { findSweep, isSwept } from '../experiment/sweep';
import { judgeSweep, sweepInWords } from '../experiment/sweepFinding';
import { LabError } from '../foundation/errors';
import { nonFiniteWords } from '../rl/nonFinite';
import { machineOf, openTraining, smallerPlanWords } from '../train/run/opening';
import { asRunError, Drive, resumeCommand } from './drive';
import { healthLines } from './health';
import { chooseNodeBackend } from './nodeBackend';
import { flushed, print } from './output';
import { threadPool } from './poolThread';
import { probeLines } from './probes';
import type { Interval, RunResult } from './result';
import type { RunPlan } from './runArguments';
import type { RunFolder } from './runFolder';
import { writeTrajectories } from './trajectories';

const FAILED = 1;
const INTERRUPTED = 130;
/** Exit code of a run that is done, with a policy that no longer trains. */
const DIVERGED = 3;

/** Carries out a plan in a folder, which is open if it was named. Returns the exit code. */
export async function runCommand(plan: RunPlan, folder: RunFolder): Promise<number> {
  try {
    return await trainIn(folder, plan);
  } finally {
    await folder.close();
  }
}

async function trainIn(folder: RunFolder, plan: RunPlan): Promise<number> {
  const { experiment } = plan;
  const saved = plan.saved?.checkpoint ?? null;
  for (const remark of plan.saved?.remarks ?? []) process.stderr.write(`${remark}\n`);
  const opened = await openTraining(experiment, {
    choose: () => chooseNodeBackend(plan.backend, pool(plan)),
    members: { members: plan.members },
    policies: plan.policies,
    snapshot: saved?.snapshot ?? null,
    detail: sayPreparing,
  });
  sayPreparing('');
  const { training, chosen } = opened;
  process.stderr.write(`Runs on ${chosen.description}: ${chosen.reason}.\n`);
  for (const [arm, runtime] of Object.entries(opened.runtimes)) {
    process.stderr.write(`Arm ${arm} is a fixed policy, run by ${runtime}.\n`);
  }
  if (opened.halvings > 0) process.stderr.write(`${smallerPlanWords(training)}\n`);
  try {
    const machines = recordMachine(saved?.machines ?? [], machineOf(opened));
    const { kind: backend, adapter } = chosen;
    const drive = new Drive(training, {
      experiment,
      backend,
      adapter,
      machines,
      saved,
      folder,
      probeEvery: plan.probeEvery,
    });
    // The old run is removed only now, when the new one is ready to begin.
    if (plan.force) await folder.clear();
    const complete = await stoppable(drive, folder);
    const failures = [...(await finish(drive, folder, plan, complete))];
    if (plan.trajectories !== null) {
      await writeTrajectories(plan.trajectories, training, experiment).catch((cause) =>
        failures.push(asRunError(cause)),
      );
    }
    for (const message of new Set(failures.map((failure) => failure.message))) process.stderr.write(`${message}\n`);
    if (failures.length > 0) return FAILED;
    if (!complete) process.stderr.write(`Stopped early. Continue with: ${resumeCommand(folder)}\n`);
    if (!complete) return INTERRUPTED;
    return nonFiniteLines(drive.result()).length > 0 ? DIVERGED : 0;
  } finally {
    // Threads that still run would keep the process alive.
    training.dispose();
  }
}

/** Saves and prints the result; one is done even if the other fails. Returns the failures. */
async function finish(drive: Drive, folder: RunFolder, plan: RunPlan, complete: boolean): Promise<readonly LabError[]> {
  if (folder.named) await drive.saveResult();
  const result = drive.result();
  if (plan.json) print(`${JSON.stringify(result)}\n`);
  else printTables(result);
  try {
    await flushed();
  } catch (cause) {
    // Nobody has seen the result, so it is kept even if no folder was named.
    if (!folder.named) await drive.saveResult();
    const kept = folder.hasResult ? [`The result is in ${folder.path}/result.json.`] : [];
    return [...drive.unsaved, withAdvice(asRunError(cause), kept)];
  }
  if (complete && !folder.named) await folder.discard();
  return drive.unsaved;
}

function withAdvice({ code, what, advice }: LabError, more: readonly string[]): LabError {
  return new LabError(code, what, [...more, advice].join(' '));
}

function printTables(result: RunResult): void {
  printTable(result);
  printSweep(result);
  printExaminations(result);
  const probed = result.probes?.at(-1);
  if (probed !== undefined) print(`${probeLines(probed).join('\n')}\n`);
  for (const line of healthLines(result)) print(`${line}\n`);
  for (const line of nonFiniteLines(result)) print(`${line}\n`);
}

function nonFiniteLines({ arms }: RunResult): string[] {
  return arms.flatMap(({ id, seeds }) =>
    seeds.flatMap(({ seed, nonFinite }) =>
      nonFinite === null ? [] : [nonFiniteWords(`${id} seed ${seed}`, nonFinite)],
    ),
  );
}

/** Shows on a terminal, in one line that is written over, what is happening before the first update. */
function sayPreparing(text: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`\r\x1b[K${text}`);
}

function pool({ members, workers }: RunPlan) {
  return threadPool(members.length, workers, new URL(import.meta.url));
}

/** Drives until the end or the first signal; a second one ends the process, a third even where its disk hangs. */
async function stoppable(drive: Drive, folder: RunFolder): Promise<boolean> {
  let signalled = false;
  const stop = (): void => {
    if (signalled) {
      listen('off');
      void folder.close().finally(() => process.exit(INTERRUPTED));
      return;
    }
    signalled = true;
    drive.stop();
  };
  // SIGHUP: the terminal was closed.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const listen = (how: 'on' | 'off'): void => {
    for (const signal of signals) process[how](signal, stop);
  };
  listen('on');
  try {
    return await drive.run();
  } finally {
    listen('off');
  }
}

/** Prints results of the last examination, each a mean over seeds. */
function printExaminations({ arms }: RunResult): void {
  const mean = (values: readonly (number | null | undefined)[]): string => {
    const known = values.filter((value) => typeof value === 'number');
    return known.length === 0 ? '–' : (known.reduce((a, b) => a + b, 0) / known.length).toFixed(3);
  };
  if (!arms.some(({ seeds }) => seeds.some(({ evaluation }) => evaluation !== null))) return;
  const title = ['examined', 'held-out success', 'greedy', 'cross-entropy', 'without the tool'];
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell, i) => cell.padEnd(i === 0 ? 20 : 16)).join(' ')}\n`;
  print(line(title));
  for (const { id, seeds } of arms) {
    const found = seeds.map(({ evaluation }) => evaluation);
    const cells = [
      found.map((one) => one?.heldOut.success),
      found.map((one) => one?.heldOut.greedySuccess),
      found.map((one) => one?.heldOut.observationCrossEntropy),
      found.map((one) => one?.toolOff?.success),
    ];
    print(line([id, ...cells.map(mean)]));
  }
}

/** Prints the finding of a sweep: the words under its picture in the page. */
function printSweep({ experiment, arms }: RunResult): void {
  const sweep = findSweep(experiment.arms);
  if (sweep === null) return;
  const order = sweep.values.map((_, arm) => arm).sort((a, b) => (sweep.values[a] ?? 0) - (sweep.values[b] ?? 0));
  const finals = order.map((arm) => arms[arm]?.seeds.map(({ curve }) => final(curve.successRate) ?? Number.NaN) ?? []);
  const values = order.map((arm) => sweep.values[arm] ?? Number.NaN);
  const finding = judgeSweep(finals, false);
  if (finding !== null) print(`${sweepInWords({ finding, values, name: sweep.name })}\n`);
}

function printTable(result: RunResult): void {
  const cell = (value: Interval): string => {
    const show = (x: number | null): string => (x === null ? '–' : x.toFixed(3));
    return `${show(value.mean)} [${show(value.low)}, ${show(value.high)}]`;
  };
  print(
    `${'arm'.padEnd(20)} ${`success, last ${FINAL_UPDATES}`.padEnd(24)} ${'area under curve'.padEnd(24)} updates to 50%\n`,
  );
  for (const { id, name, summary } of result.arms) {
    const reached = (summary.updatesTo['0.5'] ?? []).map((update) => update ?? '–').join(' ');
    print(
      `${(isSwept({ id }) ? `${id}  ${name}` : id).padEnd(20)} ${cell(summary.final).padEnd(24)} ${cell(summary.auc).padEnd(24)} ${reached}\n`,
    );
  }
}
