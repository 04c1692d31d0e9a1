/** `lab run`: trains an experiment to its end, or until Ctrl-C, and prints the result. */
import { join } from 'node:path';
import { recordMachine } from '../experiment/machines';
import { FINAL_UPDATES, final } from '../experiment/statistics';
import { findSweep, isSwept } from '../experiment/sweep';
import { judgeSweep, sweepInWords } from '../experiment/sweepFinding';
import { machineOf, openTraining, smallerPlanWords } from '../train/run/opening';
import { Drive, resumeCommand } from './drive';
import { healthLines } from './health';
import { chooseNodeBackend } from './nodeBackend';
import { threadPool } from './poolThread';
import { probeLines } from './probes';
import type { Interval, RunResult } from './result';
import type { RunPlan } from './runArguments';
import { RunFolder } from './runFolder';
import { writeTrajectories } from './trajectories';

const INTERRUPTED = 130;

/** Carries out a plan. Returns the exit code. */
export async function runCommand(plan: RunPlan): Promise<number> {
  const { experiment, directory, saved } = plan;
  const folder =
    directory === null
      ? RunFolder.free(join('lab-runs', `${experiment.preset}-${experiment.seed}`))
      : RunFolder.at(directory);
  // A folder that cannot be written must fail now, not after an hour of training.
  if (folder.named) await folder.open();
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
    const complete = await stoppable(drive);
    const result = drive.result();
    if (plan.trajectories !== null) await writeTrajectories(plan.trajectories, training, experiment);
    if (folder.named) await folder.save('result.json', JSON.stringify(result));
    else if (complete) await folder.discard();
    if (plan.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else {
      printTable(result);
      printSweep(result);
      printExaminations(result);
      const probed = result.probes?.at(-1);
      if (probed !== undefined) process.stdout.write(`${probeLines(probed).join('\n')}\n`);
      for (const line of healthLines(result)) process.stdout.write(`${line}\n`);
    }
    if (!complete) process.stderr.write(`Stopped early. Continue with: ${resumeCommand(folder)}\n`);
    return complete ? 0 : INTERRUPTED;
  } finally {
    // Threads that still run would keep the process alive.
    training.dispose();
  }
}

/** Shows on a terminal, in one line that is written over, what is happening before the first update. */
function sayPreparing(text: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`\r\x1b[K${text}`);
}

function pool({ members, workers }: RunPlan) {
  return threadPool(members.length, workers, new URL(import.meta.url));
}

/** Drives until the end or the first signal; a second one ends the process at once. */
async function stoppable(drive: Drive): Promise<boolean> {
  let signalled = false;
  const stop = (): void => {
    if (signalled) process.exit(INTERRUPTED);
    signalled = true;
    drive.stop();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    return await drive.run();
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
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
  process.stdout.write(line(title));
  for (const { id, seeds } of arms) {
    const found = seeds.map(({ evaluation }) => evaluation);
    const cells = [
      found.map((one) => one?.heldOut.success),
      found.map((one) => one?.heldOut.greedySuccess),
      found.map((one) => one?.heldOut.observationCrossEntropy),
      found.map((one) => one?.toolOff?.success),
    ];
    process.stdout.write(line([id, ...cells.map(mean)]));
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
  if (finding !== null) process.stdout.write(`${sweepInWords({ finding, values, name: sweep.name })}\n`);
}

function printTable(result: RunResult): void {
  const cell = (value: Interval): string => {
    const show = (x: number | null): string => (x === null ? '–' : x.toFixed(3));
    return `${show(value.mean)} [${show(value.low)}, ${show(value.high)}]`;
  };
  process.stdout.write(
    `${'arm'.padEnd(20)} ${`success, last ${FINAL_UPDATES}`.padEnd(24)} ${'area under curve'.padEnd(24)} updates to 50%\n`,
  );
  for (const { id, name, summary } of result.arms) {
    const reached = (summary.updatesTo['0.5'] ?? []).map((update) => update ?? '–').join(' ');
    process.stdout.write(
      `${(isSwept({ id }) ? `${id}  ${name}` : id).padEnd(20)} ${cell(summary.final).padEnd(24)} ${cell(summary.auc).padEnd(24)} ${reached}\n`,
    );
  }
}
