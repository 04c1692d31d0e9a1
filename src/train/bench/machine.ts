/**
 * One report of a machine for people who will never sit at it, in some two minutes: whether its GPU's kernels agree, what asking
 * it costs, and what updates of three experiments take on GPU and CPU. Each part has its share of the time. One that fails says
 * why and ends no other, because a GPU on which something fails is what the report is for.
 */
import type { Experiment } from '../../experiment/experiment';
import { defaultPreset, findPreset } from '../../experiment/presets/presets';
import { MIB } from '../../foundation/bytes';
import type { CpuKind } from '../../foundation/cpuVariants';
import { asLabError } from '../../foundation/errors';
import { acquireGpu } from '../../gpu/acquire';
import type { Backend } from '../../tensor/backend';
import { createWebGpuBackend } from '../../tensor/webgpu/backend';
import { checkKernels } from '../kernels/check';
import { openDevice } from '../kernels/device';
import { variantOf } from '../kernels/list';
import { KERNELS } from '../kernels/served';
import { Trainer } from '../population/trainer';
import { type ChosenBackend, cpuFor } from '../run/choose/backends';
import { updatesAlone } from '../run/choose/race';
import { chooseCohorts, hostSecondsOf } from '../run/cohorts';
import { countRequests } from './counts';
import type { MachineGpu, MachineReport, OrFailed } from './report';
import { timeUpdates } from './update';

export interface MachineOptions {
  choose(members: number, choice: CpuKind): Promise<ChosenBackend>;
  readonly gpu: GPU | undefined;
  readonly quick: boolean;
  /** Called with the work at hand, and the share of all that is done. */
  say(text: string, share: number): void;
}

/** Largest time of a part, seconds; its last case or update may go beyond. */
const SECONDS = { checks: 30, updates: 8 } as const;

export async function measureMachine(options: MachineOptions): Promise<MachineReport> {
  const { gpu, quick, say } = options;
  const ids = quick ? ['gridworld-tiny'] : [defaultPreset.id, 'gridworld-small', 'gridworld'];
  const gpuHere = await orFailed(() => gpuOf(gpu));
  const has = !('failed' in gpuHere);
  const onGpu = async <T>(text: string, share: number, measure: () => Promise<T>): Promise<OrFailed<T>> => {
    say(text, share);
    return has ? orFailed(measure) : { failed: 'no GPU' };
  };
  const latency = await onGpu('what asking the GPU costs', 0.01, () => latencyOf(gpu));
  const checks = await onGpu('kernels', 0.03, () => checksOf(gpu, quick ? 0 : SECONDS.checks, say));
  const presets: MachineReport['presets'][number][] = [];
  for (const [i, id] of ids.entries()) {
    const experiment = plainly(findPreset(id)?.experiment, has && gpuHere.software);
    const at = (part: number): number => 0.35 + (0.6 * (i + part)) / ids.length;
    const box = quick ? 0 : SECONDS.updates;
    const onIt = await onGpu(`${id} on the GPU`, at(0), () => gpuUpdates(gpu, experiment, box));
    say(`${id} on the CPU`, at(0.6));
    const cpu = await orFailed(() => cpuUpdates(options, experiment, box));
    presets.push({ preset: id, members: experiment.arms.length * experiment.seeds, gpu: onIt, cpu });
  }
  // Last, because a device may not survive it.
  const memory = await onGpu('memory', 0.96, () => memoryOf(gpu, quick ? 16 * MIB : Number.POSITIVE_INFINITY));
  return { subject: 'machine', gpu: gpuHere, latency, checks, presets, memory };
}

async function orFailed<T>(measure: () => Promise<T>): Promise<OrFailed<T>> {
  try {
    return await measure();
  } catch (cause) {
    return { failed: asLabError(cause).message };
  }
}

/** An experiment's updates alone; on software with one seed, which takes long enough. */
function plainly(experiment: Experiment | undefined, software: boolean): Experiment {
  if (experiment === undefined) throw new RangeError('A preset that is measured is gone.');
  return { ...updatesAlone(experiment), seeds: software ? 1 : experiment.seeds };
}

/** A backend on a device of its own, which is gone afterwards. */
async function withGpu<T>(
  gpu: GPU | undefined,
  use: (backend: Backend, software: boolean, device: GPUDevice) => Promise<T>,
): Promise<T> {
  const acquired = await acquireGpu(gpu);
  const backend = createWebGpuBackend(acquired);
  try {
    return await use(backend, acquired.software, acquired.device);
  } finally {
    backend.dispose();
  }
}

function gpuOf(gpu: GPU | undefined): Promise<MachineGpu> {
  return withGpu(gpu, async ({ description }, software, { limits, features }) => ({
    description,
    software,
    limits: Object.fromEntries(
      (
        [
          'maxBufferSize',
          'maxStorageBufferBindingSize',
          'maxComputeWorkgroupStorageSize',
          'maxComputeInvocationsPerWorkgroup',
        ] as const
      ).map((name) => [name, limits[name]]),
    ),
    hasTimestamps: features.has('timestamp-query'),
  }));
}

const MANY = 1000;
const TRIES = 12;

/** Seconds of a dispatch and of a submission, all but the first of many, and of a readback; each the least of some tries. */
function latencyOf(gpu: GPU | undefined): Promise<Exclude<MachineReport['latency'], { failed: string }>> {
  return withGpu(gpu, async (backend) => {
    const tensor = backend.tensor('one', 'f32', 1, 4);
    const fills = (count: number) =>
      backend.record(`${count} fills`, 1, (ops) => {
        for (let i = 0; i < count; i++) ops.fill(tensor, i);
      });
    const [one, many] = [fills(1), fills(MANY)];
    await backend.prepare();
    /** Several readbacks in a row, because browsers round their clock. */
    const least = async (run: () => void, readbacks = 1): Promise<number> => {
      let shortest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < TRIES; i++) {
        const start = performance.now();
        run();
        for (let j = 0; j < readbacks; j++) await backend.read(tensor);
        shortest = Math.min(shortest, (performance.now() - start) / 1000);
      }
      return shortest;
    };
    const once = await least(() => backend.run(one));
    const together = await least(() => backend.run(many));
    const apart = await least(() => {
      for (let i = 0; i < MANY / 10; i++) backend.run(one);
    });
    return {
      dispatch: Math.max(0, together - once) / (MANY - 1),
      submission: Math.max(0, apart - once) / (MANY / 10 - 1),
      readback: (await least(() => {}, 8)) / 8,
    };
  });
}

/** Parity cases of the kernels that this device trains with, as many as the time allows of each operation, one at least. */
async function checksOf(
  gpu: GPU | undefined,
  seconds: number,
  say: MachineOptions['say'],
): Promise<Exclude<MachineReport['checks'], { failed: string }>> {
  const device = await openDevice('webgpu', gpu);
  const kernels = KERNELS.map(({ kernel }) => kernel).filter((kernel) =>
    [null, device.variant].includes(variantOf(kernel)),
  );
  let [cases, of, worst] = [0, 0, 0];
  const beyond: { name: string; worst: number; first: string }[] = [];
  try {
    await checkKernels(
      kernels,
      device,
      {
        progress(done, all, text) {
          of = all;
          say(text, 0.03 + (0.32 * done) / all);
        },
        checked(check) {
          for (const one of check.cases) {
            cases++;
            worst = Math.max(worst, one.worst);
            if (one.failures.length === 0) continue;
            beyond.push({ name: one.name, worst: one.worst, first: one.failures[0]?.slice(0, 200) ?? '' });
          }
        },
      },
      seconds,
    );
  } finally {
    device.release();
  }
  return { cases, of, worst, beyond: beyond.slice(0, 20) };
}

/** Updates as the lab makes them on a GPU, on a device that has compiled nothing. */
function gpuUpdates(
  gpu: GPU | undefined,
  experiment: Experiment,
  seconds: number,
): Promise<Exclude<MachineReport['presets'][number]['gpu'], { failed: string }>> {
  return withGpu(gpu, async (backend, software) => {
    const cohorts = await chooseCohorts(backend, software, software ? 0 : await hostSecondsOf(experiment));
    const { backend: counting, take } = countRequests(backend);
    const trainer = new Trainer(counting, experiment, { cohorts });
    let kernels = 0;
    const start = performance.now();
    await trainer.prepare((_, total) => {
      kernels = Math.max(kernels, total);
    });
    const compiling = (performance.now() - start) / 1000;
    const { counts, ...times } = await timeUpdates(trainer, { seconds }, take);
    return { cohorts, compiling: { kernels, seconds: compiling }, ...times, counts: counts ?? take() };
  });
}

async function cpuUpdates(
  { choose }: MachineOptions,
  experiment: Experiment,
  seconds: number,
): Promise<Exclude<MachineReport['presets'][number]['cpu'], { failed: string }>> {
  const kind = cpuFor('auto');
  const chosen = await choose(experiment.arms.length * experiment.seeds, kind);
  const training = chosen.train(experiment);
  try {
    await training.prepare();
    const { counts: _, ...times } = await timeUpdates(training, { seconds });
    return { kind, on: chosen.description, ...times };
  } finally {
    training.dispose();
  }
}

/** Bytes that could be filled, in pieces, up to the most that the lab would take; and the reason for no more. */
function memoryOf(gpu: GPU | undefined, most: number): Promise<Exclude<MachineReport['memory'], { failed: string }>> {
  return withGpu(gpu, async (backend) => {
    const { memoryBudgetBytes, maxTensorBytes } = backend.limits;
    const bytes = Math.min(most, memoryBudgetBytes);
    const piece = Math.min(128 * MIB, maxTensorBytes, bytes);
    const probe = backend.tensor('probe', 'f32', 1, 4);
    let reached = 0;
    try {
      while (reached + piece <= bytes) {
        const tensor = backend.tensor('memory', 'f32', 1, piece / 4);
        const program = backend.record('memory', 1, (ops) => ops.fill(tensor, 1));
        await backend.prepare();
        backend.run(program);
        await backend.read(probe);
        reached += piece;
      }
      return { reached, asked: bytes };
    } catch (cause) {
      return { reached, asked: bytes, stopped: asLabError(cause).what };
    }
  });
}
