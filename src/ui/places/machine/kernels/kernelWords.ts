/** Words of the page of kernels, from the Worker's reports. */
import type {
  CheckedCase,
  DeviceLine,
  KernelText,
  KernelTiming,
  OperationCheck,
  TimedSize,
} from '../../../../train/kernels/report';
import { giga } from '../speed/benchmarkWords';

export interface KernelCheck {
  readonly cases: readonly CheckedCase[];
  /** The case that came nearest to its tolerance, or went furthest beyond. */
  readonly worst: CheckedCase | null;
  readonly failed: number;
  /** Numbers compared. */
  readonly compared: number;
  readonly seconds: number;
  readonly device: DeviceLine;
}

/** The cases of a kernel's operations that dispatched it, if they have been run; on the CPU all of them. */
export function checkOf(kernel: KernelText, checks: readonly OperationCheck[]): KernelCheck | null {
  const own = checks.filter(
    ({ operation, variant }) =>
      kernel.operations.includes(operation) &&
      (kernel.variant === null || variant === null || variant === kernel.variant),
  );
  const [first] = own;
  if (first === undefined || kernel.operations.some((name) => own.every(({ operation }) => operation !== name))) {
    return null;
  }
  // A case that failed before its first dispatch counts for every kernel.
  const cases = own.flatMap((check) =>
    check.cases.filter(({ kernels }) => kernels.length === 0 || kernels.includes(kernel.name)),
  );
  return {
    cases,
    worst: cases.reduce<CheckedCase | null>((a, b) => (a === null || b.worst > a.worst ? b : a), null),
    failed: cases.filter(({ failures }) => failures.length > 0).length,
    compared: cases.reduce((sum, { compared }) => sum + compared, 0),
    seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
    device: first.device,
  };
}

/** First sentence of a kernel's text, the plain one. */
export const firstSentence = (about: string): string => /^.*?\.(?= |$)/.exec(about)?.[0] ?? about;

/** Share of the tolerance in two digits, or 'exact', or 'beyond all'. */
export function toleranceWords(share: number): string {
  if (share === 0) return 'exact';
  if (!Number.isFinite(share)) return 'beyond all';
  if (share < 0.01) return 'below 0.01';
  return share.toPrecision(share < 1 ? 2 : 3);
}

/** Timing of a kernel: of its series, in the variant that dispatches the kernel. */
export function timingOf(kernel: KernelText, timings: readonly KernelTiming[]): KernelTiming | null {
  const own = timings.filter(
    ({ series, variant }) =>
      series === kernel.series && (kernel.variant === null || variant === null || variant === kernel.variant),
  );
  // A kernel of both variants: rather one that it took part in.
  return own.find(({ sizes }) => sizes.some(({ kernels }) => kernels.includes(kernel.name))) ?? own[0] ?? null;
}

/** Achieved a second, in what the timing is held against; null where it was skipped. */
export function rateOf({ bound }: KernelTiming, { seconds, flops, bytes }: TimedSize): number | null {
  return seconds === null ? null : (bound === 'compute' ? flops : bytes) / seconds;
}

export const ceilingOf = ({ bound, ceilings }: KernelTiming): KernelTiming['ceilings']['compute'] =>
  bound === 'compute' ? ceilings.compute : ceilings.memory;

export const unitOf = ({ bound }: KernelTiming): string => (bound === 'compute' ? 'GFLOP/s' : 'GB/s');

export const rateWords = (timing: KernelTiming, size: TimedSize): string => {
  const rate = rateOf(timing, size);
  return rate === null ? '–' : giga(rate);
};

/** Three digits or four: 4,096 is “4096”, 151,936 “152k”, 2²² “4.2M”. */
export function shortCount(value: number): string {
  if (value >= 1e7) return `${Math.round(value / 1e6)}M`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  return value >= 1e4 ? `${Math.round(value / 1e3)}k` : String(value);
}

/** Kernels whose name, operation or text holds every word that is searched. */
export function found(kernels: readonly KernelText[], search: string): KernelText[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return kernels.filter(({ name, operations, family, about }) => {
    const text = `${name} ${name.replaceAll(/[_/]/g, ' ')} ${operations.join(' ')} ${family} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
