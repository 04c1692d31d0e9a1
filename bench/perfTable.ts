/** The results of `npm run perf` as a table for people. */
import type { LongRun } from './perfLongRun';
import type { Memory, StartUp, Training } from './perfMeasures';

interface Results {
  readonly machine: string;
  readonly startUp: StartUp;
  readonly training: readonly Training[];
  readonly longRun: LongRun;
  readonly memory: Memory;
  /** Load average of the machine over the minute before and at the end: with other work on it, times mean less. */
  readonly load: { readonly before: number; readonly after: number };
}

type Row = readonly [name: string, value: string];

export function writeTable({ machine, startUp, training, longRun, memory, load }: Results): string {
  const { usable, idle, trained } = startUp.javascript;
  const { before, after, updates } = memory;
  return [
    `${machine}; load ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after`,
    section('Start-up', [
      ['until a run can be started', `${ms(startUp.usable.median)} median, ${ms(startUp.usable.worst)} worst`],
      ['JavaScript by then', bytes(usable)],
      ['with charts and trainer, before a run', bytes(idle)],
      ['after training on the CPU', bytes(trained)],
    ]),
    ...training.map((run) => section(`${run.preset} on ${run.backend}, ${run.updates} updates`, trainingRows(run))),
    section(
      `A kept run of ${longRun.members} members × ${longRun.updates} updates, longest tasks`,
      longRunRows(longRun),
    ),
    section(`Heaps over ${updates} updates of gridworld-tiny on cpu`, [
      ['page', `${mib(before.page)} to ${mib(after.page)}`],
      ['Workers', `${mib(before.workers)} to ${mib(after.workers)}`],
    ]),
  ].join('\n\n');
}

function longRunRows({ parts, heap }: LongRun): Row[] {
  const tasks = parts.map(({ name, longest }): Row => {
    const each = longest.map(({ cpu, wall, cause }) => `${ms(cpu)} (${ms(wall)} on the clock, ${cause})`);
    return [name, each.join('; ')];
  });
  return [...tasks, ['heap of the page, of Workers', `${mib(heap.page)}, ${mib(heap.workers)}`]];
}

function trainingRows({ longest, over50, frames, updatesPerSecond, tokensPerSecond }: Training): Row[] {
  return [
    ['speed', `${rate(updatesPerSecond)} updates/s, ${rate(tokensPerSecond)} tokens/s`],
    ...longest
      .slice(0, 3)
      .map(
        ({ wall, cpu, cause }, i): Row => [
          i === 0 ? 'longest tasks of the main thread' : '',
          `${ms(cpu)} on the processor, ${ms(wall)} on the clock (${cause})`,
        ],
      ),
    ['tasks over 50 ms', `${over50.cpu} on the processor, ${over50.wall} on the clock`],
    ['between frames', `${ms(frames.median)} median, ${ms(frames.p99)} p99, ${ms(frames.worst)} worst`],
  ];
}

function section(title: string, rows: readonly Row[]): string {
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(38)}  ${value}`)].join('\n');
}

const ms = (value: number): string => `${Math.round(value)} ms`;
const kB = (value: number): string => `${(value / 1000).toFixed(1)} kB`;
const mib = (value: number): string => `${(value / 2 ** 20).toFixed(1)} MiB`;
const bytes = ({ raw, gzip }: { raw: number; gzip: number }): string => `${kB(raw)}, ${kB(gzip)} with gzip`;
const rate = (value: number): string => (value < 100 ? value.toPrecision(3) : Math.round(value).toLocaleString('en'));
