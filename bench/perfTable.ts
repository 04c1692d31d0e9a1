/** Results of `npm run perf` as a table. */
import type { Counts } from './perfCounts';
import type { LongRun } from './perfLongRun';
import type { Memory, StartUp, Training } from './perfMeasures';
import type { Part } from './perfParts';

interface Results {
  readonly machine: string;
  readonly startUp: StartUp;
  readonly training: readonly Training[];
  readonly longRun: LongRun;
  readonly counts: readonly Counts[];
  readonly memory: Memory;
  readonly goes: number;
  /** Medians over the goes; everything else is from the last one. */
  readonly parts: readonly Part[];
  /** Load average of the machine at the beginning and at the end; beside other work, times mean less. */
  readonly load: { readonly before: number; readonly after: number };
}

type Row = readonly [name: string, value: string];

export const writeCounts = (counts: readonly Counts[]): string =>
  section(
    'The lab before a run',
    counts.map(({ window, inSight, controls, words, height }) => [
      window,
      `${inSight} controls in sight, ${controls} in all; ${words} words; ${height} pixels high`,
    ]),
  );

export function writeTable({
  machine,
  startUp,
  training,
  longRun,
  counts,
  memory,
  load,
  goes,
  parts,
}: Results): string {
  const { needed, idle, trained } = startUp.javascript;
  const { before, after, updates } = memory;
  return [
    `${machine}; load ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after`,
    section('Start-up', [
      ['until a run can be started', `${ms(startUp.usable.median)} median, ${ms(startUp.usable.worst)} worst`],
      ['JavaScript that this takes', bytes(needed)],
      ['with charts and trainer, before a run', bytes(idle)],
      ['after training on the CPU', bytes(trained)],
    ]),
    writeCounts(counts),
    ...training.map((run) => section(`${run.preset} on ${run.backend}, ${run.updates} updates`, trainingRows(run))),
    section(
      `Longest task of the main thread, median of ${goes}; kept runs are of ${longRun.members} members × ${longRun.updates} updates`,
      [...parts.map(partRow), ['above 50 ms on the processor', slowOf(parts)]],
    ),
    section('Heaps with a kept run on screen', [
      ['page', mib(longRun.heap.page)],
      ['Workers', mib(longRun.heap.workers)],
    ]),
    section(`Heaps over ${updates} updates of gridworld-tiny on cpu`, [
      ['page', `${mib(before.page)} to ${mib(after.page)}`],
      ['Workers', `${mib(before.workers)} to ${mib(after.workers)}`],
    ]),
  ].join('\n\n');
}

/** Milliseconds; the user notices a longer task. */
const LONG = 50;

function partRow({ name, longest: { cpu, wall, cause } }: Part): Row {
  return [name, `${ms(cpu)} on the processor, ${ms(wall)} on the clock (${cause})${cpu > LONG ? ' !' : ''}`];
}

function slowOf(parts: readonly Part[]): string {
  const slow = parts.filter(({ longest }) => longest.cpu > LONG);
  return slow.length === 0 ? 'none' : slow.map(({ name }) => name).join('; ');
}

function trainingRows({ over50, frames, updatesPerSecond, tokensPerSecond }: Training): Row[] {
  return [
    ['speed', `${rate(updatesPerSecond)} updates/s, ${rate(tokensPerSecond)} tokens/s`],
    ['tasks over 50 ms', `${over50.cpu} on the processor, ${over50.wall} on the clock`],
    ['between frames', `${ms(frames.median)} median, ${ms(frames.p99)} p99, ${ms(frames.worst)} worst`],
  ];
}

function section(title: string, rows: readonly Row[]): string {
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(44)}  ${value}`)].join('\n');
}

const ms = (value: number): string => `${Math.round(value)} ms`;
const kB = (value: number): string => `${(value / 1000).toFixed(1)} kB`;
const mib = (value: number): string => `${(value / 2 ** 20).toFixed(1)} MiB`;
const bytes = ({ raw, gzip }: { raw: number; gzip: number }): string => `${kB(raw)}, ${kB(gzip)} with gzip`;
const rate = (value: number): string => (value < 100 ? value.toPrecision(3) : Math.round(value).toLocaleString('en'));
