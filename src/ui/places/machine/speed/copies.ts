/** The measurements to take along: as JSON, complete; as Markdown, what the panel shows. */
import { percent } from '../../../../foundation/percent';
import type { BenchmarkReport } from '../../../../train/bench/report';
import { formatCount } from '../../../kit/format';
import { achieved, allNotes, giga, milliseconds, operationWords, perStep, reportOf } from './benchmarkWords';

export interface MeasuredSpeed {
  readonly reports: readonly BenchmarkReport[];
  readonly quick: boolean;
  /** The browser's own words about itself, and the cores it admits to. */
  readonly browser: string;
  readonly cores: number;
}

export function speedJson(measured: MeasuredSpeed): string {
  return JSON.stringify(measured, null, 2);
}

type Cell = string | number;

/** A table, its first column to the left and the others to the right. */
function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const line = (cells: readonly Cell[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)];
}

export function speedMarkdown({ reports, quick, browser, cores }: MeasuredSpeed): string {
  const [first] = reports;
  const train = reportOf(reports, 'train');
  const population = reportOf(reports, 'population');
  const kernels = reportOf(reports, 'kernels');
  const lines = [
    `## Speed of training: ${first?.adapter ?? 'nothing measured'}`,
    '',
    `Backend: ${first?.backend ?? 'none'}. ${cores} cores. ${browser}.`,
    ...(quick ? ['', 'A quick look with small sizes: the numbers mean little.'] : []),
  ];
  if (population !== null) {
    const rows = population.rows.map(({ members, seconds, tokensPerSecond, relative }) => [
      members,
      milliseconds(seconds),
      formatCount(tokensPerSecond),
      relative.toFixed(2),
    ]);
    const head = ['members', 'ms an update', 'tokens/s', 'times one member'];
    lines.push('', `### What more members cost (${population.experiment})`, '', ...table(head, rows));
  }
  if (train !== null) {
    const rows = train.parts.map(({ part, seconds, share }) => [part, milliseconds(seconds), percent(share)]);
    lines.push(
      '',
      `### Where the time of an update goes (${train.experiment}, ${train.members} members)`,
      '',
      `One update: ${milliseconds(train.seconds)} ms, ${formatCount(train.tokens)} tokens, ${formatCount(train.tokensPerSecond)} tokens/s.`,
      '',
      ...table(['part', 'ms', 'share'], rows),
      '',
      '### What an update asks of the device',
      '',
      ...table(
        ['asked', 'an update'],
        Object.entries(train.counts).map(([asked, count]) => [asked, formatCount(count)]),
      ),
    );
  }
  if (kernels !== null) {
    const { compute, memory } = kernels.ceilings;
    const rows = kernels.rows.map((row) => [
      operationWords(row),
      row.calls,
      milliseconds(perStep(row)),
      achieved(row),
      percent(row.share),
    ]);
    const { step } = kernels;
    const whole = [
      'the whole step',
      1,
      milliseconds(step.seconds),
      `${giga(step.flops / step.seconds)} GFLOP/s`,
      percent(step.share),
    ];
    lines.push(
      '',
      `### What the kernels reach (${kernels.sizes})`,
      '',
      `This device’s ceilings, found in the same run: ${giga(compute.perSecond)} GFLOP/s (${compute.by}) and ${giga(memory.perSecond)} GB/s (${memory.by}).`,
      '',
      ...table(['operation', 'calls', 'ms a step', 'achieved', 'of the ceiling'], [whole, ...rows]),
    );
  }
  return `${[...lines, '', ...allNotes(reports).map((note) => `- ${note}`)].join('\n')}\n`;
}
