/**
 * A benchmark's report as text: machine and its load, one table, and notes on how it was measured. Times in milliseconds,
 * flops and bytes in 10⁹ a second.
 */
import { mebibytes } from '../../foundation/bytes';
import { percent } from '../../foundation/percent';
import type {
  BenchmarkReport,
  Ceilings,
  Counts,
  KernelsReport,
  MachineReport,
  OrFailed,
  UpdateReport,
} from '../../train/bench/report';

type Cell = string | number;

/** Lines of a table: first column aligned to the left, the others to the right. */
function columns(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const text = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => Math.max(...text.map((row) => (row[i] ?? '').length)));
  return text.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  );
}

const milliseconds = (seconds: number): string => (seconds * 1e3).toFixed(seconds < 0.001 ? 4 : 2);
const giga = (perSecond: number): string => (perSecond / 1e9).toFixed(perSecond < 1e9 ? 2 : 1);
const whole = (number: number): string => Math.round(number).toLocaleString('en');

function ceilingLines({ compute, memory }: Ceilings): string[] {
  return [
    `ceilings: ${giga(compute.perSecond)} GFLOP/s (${compute.by}), ${giga(memory.perSecond)} GB/s (${memory.by})`,
  ];
}

function kernelLines({ sizes, ceilings, rows, step }: KernelsReport): string[] {
  const cells = rows.map(({ operation, shape, calls, seconds, flops, bytes, bound, share }) => [
    `${operation} ${shape}`.trim(),
    calls,
    milliseconds(seconds),
    flops > 0 ? giga(flops / seconds) : '',
    giga(bytes / seconds),
    `${percent(share)} ${bound}`,
  ]);
  const total = [
    'the whole step',
    1,
    milliseconds(step.seconds),
    giga(step.flops / step.seconds),
    '',
    percent(step.share),
  ];
  return [
    sizes,
    ...ceilingLines(ceilings),
    '',
    ...columns(['operation', 'calls', 'ms', 'GFLOP/s', 'GB/s', 'of the ceiling'], [...cells, total]),
  ];
}

function updateLines(report: UpdateReport): string[] {
  const { subject, experiment, members, seconds, tokens, tokensPerSecond, timing, parts, counts } = report;
  const what = subject === 'rollout' ? 'rollout' : 'update';
  const cells = parts.map(({ part, seconds: time, share }) => [part, milliseconds(time), percent(share)]);
  return [
    `${experiment}, ${members} members: ${whole(tokensPerSecond)} tokens/s`,
    `one ${what}: ${milliseconds(seconds)} ms, ${whole(tokens)} tokens (parts by ${timing})`,
    '',
    ...columns(['part', 'ms', 'share'], cells),
    ...(subject === 'rollout' ? [] : ['', ...countLines(counts)]),
  ];
}

const countLines = (counts: Counts): string[] =>
  columns(
    ['asked of the device', 'an update'],
    Object.entries(counts).map(([asked, count]) => [asked, whole(count)]),
  );

const failedOr = <T extends object>(told: OrFailed<T>, words: (value: T) => Cell[]): Cell[] =>
  'failed' in told ? [told.failed] : words(told as T);

function machineLines({ latency, checks, presets, memory }: MachineReport): string[] {
  const micro = (seconds: number): string => `${(seconds * 1e6).toFixed(1)} µs`;
  const rows: Cell[][] = [
    [
      'kernels',
      ...failedOr(checks, (one) => [`${one.cases} of ${one.of} cases, ${one.beyond.length} beyond tolerance`]),
    ],
    ['dispatch', ...failedOr(latency, ({ dispatch }) => [micro(dispatch)])],
    ['submission', ...failedOr(latency, ({ submission }) => [micro(submission)])],
    ['readback', ...failedOr(latency, ({ readback }) => [micro(readback)])],
    ['memory', ...failedOr(memory, ({ reached }) => [mebibytes(reached)])],
  ];
  for (const { preset, members, gpu, cpu } of presets) {
    const name = `${preset}, ${members} members`;
    rows.push([`${name}, GPU`, ...failedOr(gpu, ({ seconds }) => [`${milliseconds(seconds)} ms an update`])]);
    rows.push([`${name}, CPU`, ...failedOr(cpu, ({ seconds }) => [`${milliseconds(seconds)} ms an update`])]);
  }
  return columns(['measured', ''], rows);
}

function subjectLines(report: BenchmarkReport): string[] {
  switch (report.subject) {
    case 'kernels':
      return kernelLines(report);
    case 'train':
    case 'rollout':
      return updateLines(report);
    case 'population': {
      const rows = report.rows.map(({ members, seconds, tokensPerSecond, relative }) => [
        members,
        milliseconds(seconds),
        whole(tokensPerSecond),
        relative.toFixed(2),
      ]);
      return [report.experiment, ...columns(['members', 'ms an update', 'tokens/s', 'times one member'], rows)];
    }
    case 'latency': {
      const rows = report.rows.map(({ cohorts, latency, seconds, growth, bound }) => [
        cohorts,
        latency * 1e3,
        ...[seconds, growth, bound].map((time) => (time * 1e3).toFixed(1)),
      ]);
      const head = ['cohorts', 'readbacks late by, ms', 'ms an update', 'waits more, ms', 'at most, ms'];
      return [report.experiment, ...columns(head, rows)];
    }
    case 'machine':
      return machineLines(report);
    case 'environments': {
      const rows = report.rows.map(({ environment, slots, stepsPerSecond, resetsPerSecond }) => [
        environment,
        slots,
        whole(stepsPerSecond),
        whole(resetsPerSecond),
      ]);
      return columns(['environment', 'slots', 'steps/s a core', 'resets/s a core'], rows);
    }
  }
}

export function benchTable(report: BenchmarkReport, machine: string, load: { before: number; after: number }): string {
  const { backend, adapter, notes } = report;
  const loads = `load ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after`;
  return `${[
    `${backend === 'none' ? '' : `${backend}: `}${adapter} · ${machine} · ${loads}`,
    ...subjectLines(report),
    '',
    ...notes,
  ].join('\n')}\n`;
}
