/** A benchmark's numbers as the page and its Markdown write them. */
import type {
  BenchmarkReport,
  KernelRow,
  KernelsReport,
  PopulationReport,
  UpdateReport,
} from '../../../../train/bench/report';
import { formatCount } from '../../../kit/format';

interface Reports {
  kernels: KernelsReport;
  population: PopulationReport;
  train: UpdateReport;
}

export type ReportOf<S extends keyof Reports> = Reports[S];

export function reportOf<S extends keyof Reports>(reports: readonly BenchmarkReport[], subject: S): ReportOf<S> | null {
  return (reports.find((report) => report.subject === subject) as ReportOf<S> | undefined) ?? null;
}

/** Three significant digits, in milliseconds. */
export function milliseconds(seconds: number): string {
  const value = seconds * 1e3;
  return value >= 100 ? formatCount(value) : value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/** A rate per second in thousands of millions. */
export function giga(perSecond: number): string {
  const value = perSecond / 1e9;
  return value >= 100 ? formatCount(value) : value.toFixed(value >= 10 ? 1 : 2);
}

/** Speed that a kernel reached, in the unit of the ceiling nearer to it. */
export function achieved({ bound, flops, bytes, seconds }: KernelRow): string {
  return bound === 'compute' ? `${giga(flops / seconds)} GFLOP/s` : `${giga(bytes / seconds)} GB/s`;
}

/** `linearBackwardWeight 64×256` → “linear backward weight 64×256”. */
export function operationWords({ operation, shape }: Pick<KernelRow, 'operation' | 'shape'>): string {
  return `${operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${shape}`.trim();
}

export const perStep = ({ calls, seconds }: KernelRow): number => calls * seconds;

export const together = (members: number): string =>
  members === 1 ? 'one policy' : `${formatCount(members)} policies together`;

/** The row measured with about as many policies as are asked for; null where there is none. */
export function nearestTo<T extends { readonly members: number }>(asked: number, rows: readonly T[]): T | null {
  const far = ({ members }: T): number => Math.abs(Math.log(members / Math.max(1, asked)));
  return rows.reduce<T | null>((near, row) => (near === null || far(row) < far(near) ? row : near), null);
}

/** `16 policies together (your experiment trains 12)`. */
export const togetherWords = (members: number, asked: number): string =>
  members === asked ? together(members) : `${together(members)} (your experiment trains ${formatCount(asked)})`;

/** Notes under the table of a subject, in one line: those that no report before it has. */
export function ownNotes(subject: keyof Reports, reports: readonly BenchmarkReport[]): string {
  const at = reports.findIndex((report) => report.subject === subject);
  const before = reports.slice(0, at).flatMap(({ notes }) => notes);
  return (reports[at]?.notes ?? []).filter((note) => !before.includes(note)).join(' ');
}

/** Each note once, in the order they come. */
export function allNotes(reports: readonly BenchmarkReport[]): string[] {
  return [...new Set(reports.flatMap(({ notes }) => notes))];
}
