/** Every operation of a training step timed alone: its rate, and the share of this device's own ceilings that it reaches. */
import type { Backend } from '../../tensor/backend';
import { type Call, callsOf, replay } from './apart';
import { type CeilingSizes, higher, measureCompute, measureMemory } from './ceilings';
import { type Cost, costOf } from './costs';
import type { KernelRow, KernelsReport } from './report';
import { Stopwatch } from './stopwatch';
import { rowsOf, type StepSizes, stepFlops, trainingStep } from './trainingStep';

export interface KernelsOptions extends CeilingSizes {
  readonly sizes: StepSizes;
  /** Seconds allowed for each row. */
  readonly seconds: number;
}

interface Kind extends Cost {
  readonly call: Call;
  calls: number;
}

export async function benchKernels(
  backend: Backend,
  options: KernelsOptions,
  say: (text: string) => void,
): Promise<KernelsReport> {
  const { sizes, seconds } = options;
  const { policy, members, trajectories } = sizes;
  const clock = new Stopwatch(backend, members, seconds);
  say('looking for the ceilings');
  const plain = new Stopwatch(backend, 1, seconds);
  let compute = await measureCompute(backend, plain, options);
  let memory = await measureMemory(backend, plain, options);

  const step = trainingStep(backend, sizes);
  const kinds = new Map<string, Kind>();
  for (const call of callsOf(step.record)) {
    const cost = costOf(call, members, policy.context);
    const key = `${call.name} ${cost.shape} ${cost.bytes}`;
    const known = kinds.get(key);
    if (known) known.calls++;
    else kinds.set(key, { ...cost, call, calls: 1 });
  }
  const measured: (Kind & { seconds: number })[] = [];
  for (const kind of kinds.values()) {
    say(`${kind.call.name} ${kind.shape}`);
    const time = await clock.time(replay([kind.call]));
    measured.push({ ...kind, seconds: time });
    const by = `${kind.call.name} ${kind.shape}`.trim();
    compute = higher(compute, { perSecond: kind.flops / time, by });
    memory = higher(memory, { perSecond: kind.bytes / time, by });
  }
  say('the whole step');
  const whole = await clock.time(step.record);
  const flops = stepFlops(sizes);
  const rows = measured.map(({ call, shape, calls, seconds: time, flops: needed, bytes }): KernelRow => {
    const byCompute = needed / compute.perSecond;
    const byMemory = bytes / memory.perSecond;
    const bound = byCompute > byMemory ? 'compute' : 'memory';
    const share = Math.max(byCompute, byMemory) / time;
    return { operation: call.name, shape, calls, seconds: time, flops: needed, bytes, bound, share };
  });
  return {
    subject: 'kernels',
    sizes: `width ${policy.width}, ${policy.layers} ${policy.layers === 1 ? 'layer' : 'layers'}, ${members === 1 ? '1 member' : `${members} members`} × ${trajectories} trajectories of ${policy.context} tokens (${rowsOf(sizes)} rows)`,
    ceilings: { compute, memory },
    rows: rows.sort((a, b) => b.calls * b.seconds - a.calls * a.seconds),
    step: { seconds: whole, flops, share: flops / whole / compute.perSecond },
  };
}
