/** A sweep's result as a table for a person, a line for every arm of every cell. */
import { FINAL_UPDATES } from '../../experiment/conclude/statistics';
import type { Interval } from '../../train/result/result';
import type { SweepResult } from './result';

/** Share with its 95% interval over seeds, cut to where a share can be. */
function share({ mean, low, high }: Interval): string {
  const show = (x: number | null): string => (x === null ? '–' : Math.min(Math.max(x, 0), 1).toFixed(3));
  return `${show(mean)} [${show(low)}, ${show(high)}]`;
}

export function sweepTable({ axes, cells, finding, shard }: SweepResult): string {
  const head = [...axes.map(({ key }) => key), 'arm', `success, last ${FINAL_UPDATES}`, 'area under curve'];
  const rows = cells.flatMap(({ values, arms, diverged }) =>
    arms.map(({ id, summary }) => [
      ...values,
      id,
      share(summary.final),
      `${share(summary.area)}${diverged ? '  diverged' : ''}`,
    ]),
  );
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const machines = new Set(cells.map(({ backend, adapter }) => `${backend} (${adapter})`));
  const notes = [
    ...(shard === undefined ? finding : [`Shard ${shard}: its members only.`]),
    ...(machines.size > 1 ? [`Not all on one machine: ${[...machines].join(', ')}.`] : []),
  ];
  return `${[head, ...rows].map(line).join('\n')}\n${notes.map((note) => `${note}\n`).join('')}`;
}
