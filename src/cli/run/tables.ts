/** A run's result on stdout: as tables for a person, or as JSON or CSV. */
import { FINAL_UPDATES } from '../../experiment/conclude/statistics';
import { gridInWords, numbersOf } from '../../experiment/grid/finding';
import { isSwept } from '../../experiment/grid/swept';
import { cellsOfArms, findSweep } from '../../experiment/grid/together';
import { nonFiniteWords } from '../../rl/measure/nonFinite';
import type { Interval, RunResult } from '../../train/result/result';
import { print, printPieces, styled } from '../output';
import { healthLines } from './health';
import { probeLines } from './probes';
import { csvPieces, resultPieces } from './resultText';

export async function printResult(result: RunResult, { json, csv }: { json: boolean; csv: boolean }): Promise<void> {
  if (json) await printPieces(resultPieces(result));
  else if (csv) await printPieces(csvPieces(result));
  else printTables(result);
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

/** Sentences about policies that train no more. */
export function nonFiniteLines({ arms }: RunResult): string[] {
  return arms.flatMap(({ id, seeds }) =>
    seeds.flatMap(({ seed, nonFinite }) =>
      nonFinite === null ? [] : [nonFiniteWords(`${id} seed ${seed}`, nonFinite)],
    ),
  );
}

/** Prints results of the last examination, each a mean over seeds. */
function printExaminations({ arms }: RunResult): void {
  const mean = (values: readonly (number | null | undefined)[]): string => {
    const known = values.filter((value) => typeof value === 'number');
    return known.length === 0 ? '–' : (known.reduce((a, b) => a + b, 0) / known.length).toFixed(3);
  };
  if (!arms.some(({ seeds }) => seeds.some(({ evaluation }) => evaluation !== null))) return;
  const isHeldOut = arms.some(({ seeds }) => seeds.some(({ evaluation }) => evaluation?.heldOut != null));
  const examined = isHeldOut ? 'held-out success' : 'success';
  const title = ['examined', examined, 'greedy', 'cross-entropy', 'without the tool'];
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell, i) => cell.padEnd(i === 0 ? 20 : 16)).join(' ')}\n`;
  print(styled('bold', line(title), process.stdout));
  for (const { id, seeds } of arms) {
    if (seeds.length === 0) continue;
    const examinations = seeds.map(({ evaluation }) => evaluation);
    const measured = examinations.map((one) => one?.heldOut ?? one?.training);
    const cells = [
      measured.map((one) => one?.success),
      measured.map((one) => one?.greedySuccess),
      measured.map((one) => one?.observationCrossEntropy),
      examinations.map((one) => one?.toolOff?.success),
    ];
    print(line([id, ...cells.map(mean)]));
  }
}

/** Prints the finding of a sweep: the words under its picture in the page. */
function printSweep({ experiment, arms }: RunResult): void {
  const sweep = findSweep(experiment.arms);
  // A shard may have members of some values only.
  if (sweep === null || arms.some(({ seeds }) => seeds.length === 0)) return;
  const cells = cellsOfArms(sweep, arms.map(numbersOf));
  for (const words of gridInWords([{ key: sweep.name }], cells)) print(`${words}\n`);
}

function printTable(result: RunResult): void {
  // Shares, and intervals of shares.
  const cell = ({ mean, low, high }: Interval): string => {
    const show = (x: number | null): string => (x === null ? '–' : Math.min(Math.max(x, 0), 1).toFixed(3));
    return `${show(mean)} [${show(low)}, ${show(high)}]`;
  };
  print(
    `${styled('bold', `${'arm'.padEnd(20)} ${`success, last ${FINAL_UPDATES}`.padEnd(24)} ${'area under curve'.padEnd(24)} updates to 50%`, process.stdout)}\n`,
  );
  for (const { id, name, seeds, summary } of result.arms) {
    if (seeds.length === 0) continue;
    const reached = (summary.updatesTo['0.5'] ?? []).map((update) => update ?? '–').join(' ');
    print(
      `${(isSwept({ id }) ? `${id}  ${name}` : id).padEnd(20)} ${cell(summary.final).padEnd(24)} ${cell(summary.auc).padEnd(24)} ${reached}\n`,
    );
  }
}
