/**
 * The benchmark, in Node or in the trainer's Worker: chooses sizes, opens and closes backends, and notes how the numbers
 * were measured. One subject at a time; nothing else should be running.
 */
import { findEnvironment } from '../../environments/registry';
import { composeVocabulary } from '../../environments/vocabulary';
import type { Experiment } from '../../experiment/experiment';
import { findPreset } from '../../experiment/presets/presets';
import { type CpuKind, isCpu } from '../../foundation/cpuVariants';
import type { Training } from '../population/training';
import type { ChosenBackend } from '../run/choose/backends';
import { benchEnvironments } from './environments';
import { benchKernels } from './kernels';
import { benchLatency } from './latency';
import { measureMachine } from './machine';
import { type OpenBackend, openBackend } from './open';
import { benchPopulation, POPULATIONS } from './population';
import type { BenchmarkReport, Subject, SubjectReport } from './report';
import type { StepSizes } from './trainingStep';
import { benchUpdates } from './update';

export interface BenchmarkOptions {
  /** Chooses a backend, each time one is opened, `choice` where given; on the CPU it may be a pool of Workers. */
  choose(members: number, choice?: CpuKind): Promise<ChosenBackend>;
  readonly gpu: GPU | undefined;
  /** True for small sizes, to see that it works. */
  readonly quick: boolean;
  /** Cohorts and latencies, seconds, that the subject latency varies. */
  readonly cohorts?: readonly number[] | undefined;
  readonly latencies?: readonly number[] | undefined;
  /** Called with a text on the work at hand, for the person, and the share of all that is done, 0 … 1, where that is known. */
  say?(text: string, share?: number): void;
}

const preset = (id: string): Experiment => {
  const preset = findPreset(id);
  if (preset === undefined) throw new RangeError(`There is no preset ${id}.`);
  return preset.experiment;
};

export async function benchmark(subject: Subject, options: BenchmarkOptions): Promise<BenchmarkReport> {
  if (subject === 'environments') {
    const report = benchEnvironments(options.quick ? { slots: 128, seconds: 0.2 } : { slots: 2048, seconds: 2 });
    return { ...report, backend: 'none', adapter: 'one core', notes: ['Random legal actions, one thread.'] };
  }
  if (subject === 'machine') {
    const { gpu, quick, say = () => {} } = options;
    const report = await measureMachine({ choose: (members, kind) => options.choose(members, kind), gpu, quick, say });
    const [backend, adapter] = 'failed' in report.gpu ? ['none', 'no GPU'] : ['webgpu', report.gpu.description];
    return { ...report, backend, adapter, notes: [] };
  }
  const chosen = await options.choose(1);
  const { kind, adapter, software } = chosen;
  chosen.release();
  const { report, notes } = await measure(subject, options, { kind, software });
  if (kind === 'webgpu' && software) notes.push('Software WebGPU: no statement about GPUs follows from these numbers.');
  return { ...report, backend: kind, adapter, notes };
}

type Machine = Pick<ChosenBackend, 'kind' | 'software'>;

async function measure(
  subject: Exclude<Subject, 'environments' | 'machine'>,
  options: BenchmarkOptions,
  { kind, software }: Machine,
): Promise<{ report: SubjectReport; notes: string[] }> {
  const { quick, gpu, say = () => {} } = options;
  const experiment = preset(quick ? 'gridworld-tiny' : 'gridworld');
  if (subject === 'population') {
    let largest = '';
    const open = async (one: Experiment): Promise<Training> => {
      const chosen = await options.choose(one.seeds);
      largest = chosen.description;
      return chosen.train(one);
    };
    const sizes = { updates: quick ? 1 : 3, populations: quick ? [1, 2] : POPULATIONS };
    const report = await benchPopulation(experiment, open, sizes, say);
    return { report, notes: [`One arm with so many seeds, whole updates. The largest ran on ${largest}.`] };
  }
  if (subject === 'latency') {
    const { cohorts = [1, 2, 4], latencies = quick ? [0, 0.002] : [0, 0.002, 0.005, 0.01] } = options;
    const reduced = { ...experiment, seeds: quick || software ? 1 : experiment.seeds };
    const open = async () => (await openBackend(kind, gpu, { timed: false })).backend;
    const sizes = quick ? { updates: 2, goes: 1 } : { updates: 2, goes: 4 };
    const report = await benchLatency({ open, experiment: reduced, ...sizes, latencies, cohorts }, say);
    return {
      report,
      notes: [
        'Every row computed the same numbers, to the bit: the same updates each time, the shortest time of each turn.',
        'At most: a single wait, and in every turn what the other cohorts’ work leaves uncovered.',
      ],
    };
  }
  const opened = await openBackend(kind, gpu, { timed: subject !== 'kernels' });
  try {
    if (subject === 'kernels') {
      const sizes = stepSizes(experiment, quick || software ? 1 : 16);
      const seconds = quick ? 0.02 : 0.3;
      const report = await benchKernels(opened.backend, { sizes, seconds, quick, gpu: !software }, say);
      const notes = [
        'Each operation alone, repeated in one submission, the best of several. Ceilings are the highest rates of this run.',
      ];
      return { report, notes };
    }
    const whole = quick || software ? { ...experiment, seeds: 1 } : experiment;
    const report = await benchUpdates(opened, subject, { experiment: whole, updates: quick ? 1 : 4 }, say);
    return { report, notes: updateNotes(opened, report.timing, whole.seeds < experiment.seeds) };
  } finally {
    opened.backend.dispose();
  }
}

function updateNotes({ backend }: OpenBackend, timing: string, fewer: boolean): string[] {
  const how =
    timing === 'host clock'
      ? 'Parts by the clock of the host, which does the work.'
      : timing === 'timestamp queries'
        ? 'Parts on the device by timestamp queries; readback is what is left of the waits.'
        : 'This device has no timestamps: each part was run alone and waited for, times how often it ran.';
  const notes = [how, 'The last turn of the environments counts as packing. No extra pass for split gradient norms.'];
  if (fewer) notes.push('One seed of every arm.');
  if (isCpu(backend.kind))
    notes.push('Measured on one thread; training uses one per core. A dispatch is one operation here.');
  return notes;
}

/** The policy and batch of an experiment as one training step. */
function stepSizes(experiment: Experiment, members: number): StepSizes {
  const environment = findEnvironment(experiment.environment.id)?.create(experiment.environment.settings);
  if (environment === undefined) throw new RangeError(`There is no environment ${experiment.environment.id}.`);
  const { groups, groupSize } = experiment.batch;
  const vocabulary = composeVocabulary([environment.words]).size;
  return {
    policy: { ...experiment.policy, context: environment.context, vocabulary },
    members,
    trajectories: groups * groupSize,
    objective: 'policy-gradient',
  };
}
