/**
 * An operation timed over sizes, compared with ceilings measured in the same run and on the same clock: plain matrix
 * products and copies. Sizes that this device cannot hold, or that a watchdog might stop, are reported as skipped.
 */
import { mebibytes } from '../../foundation/bytes';
import { LabError } from '../../foundation/errors';
import type { Backend } from '../../tensor/backend';
import { kernelsOf } from '../../tensor/webgpu/backend';
import { higher, measureCompute, measureMemory } from '../bench/ceilings';
import type { Ceilings } from '../bench/report';
import { Stopwatch } from '../bench/stopwatch';
import { SERIES } from './allSeries';
import type { KernelDevice } from './device';
import { variantOf } from './list';
import { type KernelTiming, SERIES_NAMES, type SeriesName, type TimedSize } from './report';
import type { SeriesSize } from './series';
import { KERNELS } from './served';

/** Seconds allowed for each measurement. */
const SECONDS = 0.12;
/** Longest time expected of one run, seconds; sizes beyond it are skipped. */
const LONGEST = 3;
/** Bytes of the largest copy among a GPU's ceilings. */
const LARGEST_COPY = 2 ** 28;

export interface TimingListener {
  progress(done: number, of: number, text: string): void;
  timed(timing: KernelTiming): void;
}

function seriesOf(kernel: string): SeriesName {
  const served = KERNELS.find((one) => one.kernel === kernel);
  const series = SERIES_NAMES.find((name) => served?.operations.includes(name));
  if (series !== undefined) return series;
  throw new LabError('unsupported', `The kernel ${kernel} is not timed over sizes.`, 'Choose one that is.');
}

export async function timeKernel(kernel: string, device: KernelDevice, tell: TimingListener): Promise<void> {
  const name = seriesOf(kernel);
  const { axis, bound, sizes } = SERIES[name];
  const { software, kind } = device.line;
  const variant = kind === 'webgpu' ? (variantOf(kernel) ?? device.variant) : null;
  const planned = sizes(software);
  const of = planned.length + 1;
  tell.progress(0, of, 'the ceilings of this device');
  let ceilings = await measureCeilings(device);
  const measured: TimedSize[] = [];
  const clock = device.timer === null ? 'host clock' : 'timestamp queries';
  const report = (): void =>
    tell.timed({ series: name, variant, device: device.line, axis, clock, bound, ceilings, sizes: [...measured] });
  report();
  for (const size of planned) {
    tell.progress(measured.length + 1, of, size.words);
    const timed = await timeSize(size, device, variant, measured, bound);
    measured.push(timed);
    if (timed.seconds !== null) ceilings = raise(ceilings, timed, name);
    report();
  }
}

/** Ceilings raised to the rates of a measurement above them, so no share exceeds 1. */
function raise({ compute, memory }: Ceilings, { seconds, flops, bytes, words }: TimedSize, name: string): Ceilings {
  const by = `${name}, ${words}`;
  const per = seconds ?? Number.POSITIVE_INFINITY;
  return {
    compute: higher(compute, { perSecond: flops / per, by }),
    memory: higher(memory, { perSecond: bytes / per, by }),
  };
}

async function measureCeilings(device: KernelDevice): Promise<Ceilings> {
  const { software } = device.line;
  const measure = async <T>(run: (backend: Backend, clock: Stopwatch, gpu: boolean) => Promise<T>): Promise<T> => {
    const backend = await device.open({ timed: true });
    try {
      const gpu = !software && backend.limits.maxBindingBytes >= LARGEST_COPY;
      return await run(backend, new Stopwatch(backend, 1, SECONDS, device.timer), gpu);
    } finally {
      backend.dispose();
    }
  };
  // On software large sizes are no faster and take long.
  const quick = software && device.line.kind === 'webgpu';
  return {
    compute: await measure((backend, clock, gpu) => measureCompute(backend, clock, { quick, gpu })),
    memory: await measure((backend, clock, gpu) => measureMemory(backend, clock, { quick, gpu })),
  };
}

async function timeSize(
  size: SeriesSize,
  device: KernelDevice,
  variant: KernelTiming['variant'],
  before: readonly TimedSize[],
  bound: KernelTiming['bound'],
): Promise<TimedSize> {
  const { at, words, flops, bytes } = size;
  const common = { at, words, flops, bytes };
  const skip = (skipped: string): TimedSize => ({ ...common, seconds: null, skipped, kernels: [] });
  const backend = await device.open({ variant, timed: true });
  try {
    const obstacle = obstacleTo(size, backend) || slowness(size, before, bound);
    if (obstacle !== '') return skip(obstacle);
    const record = size.build(backend);
    const kernels = kernelsOf(backend.record('which kernels', 1, record));
    const seconds = await new Stopwatch(backend, 1, SECONDS, device.timer).time(record);
    return { ...common, seconds, skipped: '', kernels };
  } catch (cause) {
    const beyond = cause instanceof LabError && (cause.code === 'limits' || cause.code === 'out-of-memory');
    if (!beyond) throw cause;
    return skip(cause.what);
  } finally {
    backend.dispose();
  }
}

/** Reason why this device cannot compute a size; empty if it can. */
function obstacleTo({ tensors, flops, whole }: SeriesSize, { limits }: Backend): string {
  const largest = 4 * Math.max(...tensors);
  const bytes = 4 * tensors.reduce((a, b) => a + b, 0);
  if (largest > limits.maxBindingBytes) {
    return `needs a tensor of ${mebibytes(largest)}; this device allows ${mebibytes(limits.maxBindingBytes)}`;
  }
  if (bytes > limits.memoryBudgetBytes)
    return `needs ${mebibytes(bytes)}; the lab takes at most ${mebibytes(limits.memoryBudgetBytes)}`;
  if (whole && flops > limits.maxOperationFlops) {
    const [needed, most] = [flops, limits.maxOperationFlops].map((value) => (value / 1e9).toFixed(1));
    return `${needed} GFLOP in one dispatch; a slow GPU's watchdog might not wait for more than ${most}`;
  }
  return '';
}

/** Reason to skip a size, as long as expected from the last one; empty if it will not take long. */
function slowness(size: SeriesSize, before: readonly TimedSize[], bound: KernelTiming['bound']): string {
  const last = before.findLast(({ seconds }) => seconds !== null);
  const work = (of: { flops: number; bytes: number }): number => (bound === 'compute' ? of.flops : of.bytes);
  if (last === undefined || last.seconds === null) return '';
  const expected = (last.seconds * work(size)) / work(last);
  return expected > LONGEST ? `would take about ${expected.toFixed(0)} s a run here` : '';
}
