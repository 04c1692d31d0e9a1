/**
 * docs/machines.md, made of the files that came from machines: those of “Measure this machine” on the page, and what
 * `lab bench machine --json` prints. `npm run machines -- FILE…`; all that the document tells must be given.
 */
import { table } from '../src/cli/findings/markdown';
import type { BenchmarkReport, MachineReport, OrFailed } from '../src/train/bench/report';

type File = MachineReport &
  Pick<BenchmarkReport, 'adapter'> & {
    readonly day?: string;
    readonly commit?: string;
    readonly browser?: string;
    readonly cores?: number;
    /** Processor and Node, from the command line. */
    readonly machine?: string;
  };

const MIB = 2 ** 20;

const HEAD = `# Machines

For people who ask what the lab does on a machine like theirs. Written by \`npm run machines -- docs/machines/*.json\` from the files that came:
“Speed” behind the page’s gear makes one in two minutes (“Measure this machine”), and so does \`lab bench machine --json\`. A file holds what is
below, the browser’s name and number of cores, and nothing of a person; a new one goes into \`docs/machines/\`. Until one from a
real GPU is here, what is said of GPUs elsewhere is by counting and reading: expected, not measured.
`;

export function machineOf(name: string, text: string): File {
  let file: Partial<File> | null = null;
  try {
    file = JSON.parse(text) as Partial<File> | null;
  } catch {
    // Refused below, with what is no file of a machine either.
  }
  if (file?.subject === 'machine' && Array.isArray(file.presets)) return file as File;
  throw new Error(`${name} is no file of a measured machine: save one on the page, behind the gear at “Speed”.`);
}

export function machinesDocument(files: readonly File[]): string {
  const rows = files.map((file) => [
    named(file),
    file.browser ?? file.machine ?? '',
    file.day ?? '',
    (file.commit ?? '').slice(0, 12),
    or(
      file.checks,
      ({ cases, of, beyond }) => `${cases} of ${of}, ${beyond.length === 0 ? 'all agree' : `${beyond.length} beyond`}`,
    ),
    or(file.latency, ({ dispatch }) => digits(dispatch * 1e6)),
    or(file.latency, ({ submission }) => digits(submission * 1e6)),
    or(file.latency, ({ readback }) => digits(readback * 1e3)),
    or(file.memory, ({ reached, asked }) => [reached, asked].map((bytes) => Math.round(bytes / MIB)).join(' of ')),
  ]);
  const updates = files.flatMap((file) =>
    file.presets.map(({ preset, members, gpu, cpu }) => [
      named(file),
      file.browser ?? 'Node',
      preset,
      members,
      or(gpu, ({ seconds }) => digits(seconds * 1e3)),
      or(cpu, ({ seconds }) => digits(seconds * 1e3)),
      'failed' in gpu || 'failed' in cpu ? '–' : digits(gpu.seconds / cpu.seconds),
      or(gpu, ({ compiling }) => `${digits(compiling.seconds)} for ${compiling.kernels}`),
      or(gpu, ({ counts }) => counts.dispatches),
      or(gpu, ({ counts }) => counts.submissions),
    ]),
  );
  return [
    HEAD,
    tableOf(
      ['GPU', 'in', 'day', 'commit', 'kernel cases', 'dispatch, µs', 'submission, µs', 'readback, ms', 'filled, MiB'],
      rows,
    ),
    'An update, the median of some seconds: one cohort or two as the lab chooses them, the CPU with a thread a core. Software has one seed of each arm.\n',
    tableOf(
      [
        'GPU',
        'in',
        'preset',
        'members',
        'GPU, ms',
        'CPU, ms',
        'GPU over CPU',
        'compiling, s',
        'dispatches',
        'submissions',
      ],
      updates,
    ),
    ...files.flatMap((file) => failures(file)),
  ].join('\n');
}

const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  `${table([head, ...rows.map((row) => row.map(String))]).join('\n')}\n`;

const named = ({ adapter, cores }: File): string =>
  `${adapter}, ${cores === undefined ? '' : `${cores} cores`}`.replace(/, $/, '');

const digits = (value: number): string => (value >= 100 ? Math.round(value).toString() : value.toPrecision(2));

const or = <T extends object>(told: OrFailed<T>, say: (value: T) => string | number): string | number =>
  'failed' in told ? 'failed' : say(told as T);

/** Parts that failed, and kernels beyond tolerance, in words. */
function failures(file: File): string[] {
  const parts = { latency: file.latency, checks: file.checks, memory: file.memory };
  const failed = Object.entries(parts).flatMap(([part, told]) => ('failed' in told ? [`${part}: ${told.failed}`] : []));
  const beyond = 'failed' in file.checks ? [] : file.checks.beyond.map(({ name, first }) => `${name}: ${first}`);
  return [...failed, ...beyond].map((line) => `- ${named(file)}, ${file.browser ?? 'Node'}: ${line}\n`);
}
