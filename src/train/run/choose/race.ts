/**
 * Race of a GPU and the CPU for a run that is to begin, where the person left the choice to the lab. Both begin, the CPU while the
 * GPU compiles; each makes an update to warm up and one that is timed. These trainings are the race's own: they are thrown away,
 * and the run begins on what the race named as if a person had named it. The GPU takes it wherever it is within a third of the
 * CPU's time.
 */
import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Experiment } from '../../../experiment/experiment';
import { isOfOwnWorld } from '../../../experiment/ownWorld';
import type { CpuKind } from '../../../foundation/cpuVariants';
import { asLabError } from '../../../foundation/errors';
import { storedBytes } from '../../../policy/frozen';
import { METRIC, METRICS } from '../../../rl/measure/metrics';
import {
  chooseMembers,
  type FileWeights,
  type MemberChoice,
  type Training,
  weightsFor,
} from '../../population/training';
import type { RaceNumbers } from '../../protocol';
import type { ChosenBackend } from './backends';

/** The two sides, each opened for the race alone. */
export interface Rivals {
  /** Name of the GPU. */
  readonly adapter: string;
  readonly cpu: CpuKind;
  open(side: 'gpu' | 'cpu'): Promise<ChosenBackend>;
}

export interface Verdict {
  readonly takes: 'gpu' | 'cpu';
  /** Reason for the person; null where nothing was compared. */
  readonly reason: string | null;
  /** Times; null where one of the two was not timed. */
  readonly numbers: RaceNumbers | null;
  /** The GPU ran out of memory meanwhile: a run needs another device. */
  readonly isSpoiled?: true;
}

export interface RaceOptions extends MemberChoice {
  readonly weights: FileWeights;
  /** Earlier races of the same shape, and the side that a result at hand was computed on; null where there is none. */
  readonly known: readonly RaceNumbers[];
  readonly takes: 'gpu' | 'cpu' | null;
  readonly detail: (text: string) => void;
  readonly unwanted: () => boolean;
}

/** Verdict without a CPU to compare the GPU with. */
const UNCONTESTED: Verdict = { takes: 'gpu', reason: null, numbers: null };

type After = (milliseconds: number) => Promise<void>;

/** Milliseconds: until which the GPU must be timed where the CPU is, and which the CPU has once the GPU is ready. */
const PATIENCE = { gpu: 20_000, cpu: 2000 } as const;
/** Largest time of a GPU that trains, in the CPU's. */
const WITHIN = 4 / 3;
/** Bytes of weights out of files above which no CPU is asked: each of its threads would hold a copy. */
const MOST_BYTES = 2 ** 26;
/** Largest difference of a first update's number, as a share of it and beside that: some sampled tokens differ. */
const ALIKE = { share: 0.1, beside: 0.05 } as const;
const COMPARED = ['entropy', 'observationCrossEntropy'] as const;

/** An experiment's updates alone: without the work before them, and without that beside them now and then. */
export const updatesAlone = (experiment: Experiment): Experiment => ({
  ...experiment,
  timeline: [],
  diagnosticsEvery: 0,
  warmStart: { ...experiment.warmStart, updates: 0 },
  evaluation: { ...experiment.evaluation, every: 0, toolEvery: 0 },
});

/** Verdict of a result at hand or of an earlier race of these two; null where there was none. */
export function foreseen(
  known: readonly RaceNumbers[],
  takes: 'gpu' | 'cpu' | null,
  { adapter, cpu }: Rivals,
): Verdict | null {
  if (takes !== null) return { takes, reason: 'as for the result that it is compared with', numbers: null };
  const numbers = known.find((one) => one.adapter === adapter && one.cpu === cpu);
  return numbers === undefined ? null : byNumbers(numbers, ', as measured earlier');
}

export async function race(experiment: Experiment, rivals: Rivals, options: RaceOptions): Promise<Verdict> {
  const earlier = foreseen(options.known, options.takes, rivals);
  if (earlier !== null) return earlier;
  const trains = experiment.arms.map((arm) => !isFixed(arm));
  const members = chooseMembers(experiment, options).filter(({ armIndex }) => trains[armIndex]);
  // A user's world may remember the race's episodes, and a run must not depend on the race.
  if (members.length === 0 || isOfOwnWorld(experiment.environment)) {
    return UNCONTESTED;
  }
  const weights = weightsFor(experiment, members, options.weights);
  const bytes = [...weights.values()].reduce(
    (sum, one) => sum + (one instanceof Float32Array ? one.byteLength : storedBytes(one)),
    0,
  );
  if (bytes > MOST_BYTES) return UNCONTESTED;
  const lane = (side: 'gpu' | 'cpu') => new Lane(rivals, side, updatesAlone(experiment), { members, weights });
  const lanes = { gpu: lane('gpu'), cpu: lane('cpu') };
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const after: After = (milliseconds) => new Promise((resolve) => timers.add(setTimeout(resolve, milliseconds)));
  try {
    return await run(lanes, rivals, options, after);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    lanes.gpu.end();
    lanes.cpu.end();
  }
}

async function run(
  { gpu, cpu }: Readonly<Record<'gpu' | 'cpu', Lane>>,
  { adapter, cpu: kind }: Rivals,
  { detail, unwanted }: RaceOptions,
  after: After,
): Promise<Verdict> {
  const sayWithRival = (text: string): void => {
    const beside = cpu.shortest === null ? '' : `; the CPU makes an update in ${inWords(cpu.shortest)}`;
    detail(`${text} for ${adapter}${beside}`);
  };
  const fromCpu = cpu.ready().then(() => cpu.time(() => unwanted() || gpu.isReady));
  // A failure of the CPU is told by its lack of a time.
  const cpuTimed = fromCpu.catch(() => {});
  const gpuTimed = gpu
    .ready((done, total) => sayWithRival(`compiled ${done} of ${total} kernels`))
    .then(async () => {
      await Promise.race([cpuTimed, after(PATIENCE.cpu)]);
      cpu.end();
      sayWithRival('timing an update');
      if (!unwanted()) await gpu.time(() => true);
    });
  const failed = await Promise.race([gpuTimed.then(() => null, asLabError), deadline(gpu, cpu, after)]);
  if (failed === 'late') {
    const reason = `${inWords(cpu.shortest ?? 0)} an update here; ${adapter} was not ready after ${PATIENCE.gpu / 1000} seconds`;
    return { takes: 'cpu', reason, numbers: null };
  }
  // A smaller plan may fit.
  if (failed?.code === 'out-of-memory') return { ...UNCONTESTED, isSpoiled: true };
  if (failed !== null) {
    const words = failed.code === 'limits' ? 'the GPU cannot hold it' : 'the GPU failed before the run';
    return { takes: 'cpu', reason: `${words}. ${failed.what.replace(/\.$/, '')}`, numbers: null };
  }
  const [ofGpu, ofCpu] = [gpu.result, cpu.result];
  if (ofGpu === null || ofCpu === null) return UNCONTESTED;
  const strange = strangeness(ofGpu.first, ofCpu.first);
  if (strange !== null)
    return { takes: 'cpu', reason: `${adapter} computes something else: ${strange}`, numbers: null };
  return byNumbers({ adapter, cpu: kind, gpuSeconds: ofGpu.shortest, cpuSeconds: ofCpu.shortest }, '');
}

function byNumbers(numbers: RaceNumbers, when: string): Verdict {
  const [gpu, cpu] = [inWords(numbers.gpuSeconds), inWords(numbers.cpuSeconds)];
  return numbers.gpuSeconds <= WITHIN * numbers.cpuSeconds
    ? { takes: 'gpu', reason: `${gpu} an update, the CPU ${cpu}${when}`, numbers }
    : { takes: 'cpu', reason: `${cpu} an update, ${numbers.adapter} ${gpu}${when}`, numbers };
}

const inWords = (seconds: number): string =>
  seconds < 0.1 ? `${(1000 * seconds).toPrecision(2)} ms` : `${Math.round(1000 * seconds).toLocaleString('en')} ms`;

/** Resolves where the GPU is not timed in time and the CPU is. */
async function deadline(gpu: Lane, cpu: Lane, after: After): Promise<'late'> {
  await after(PATIENCE.gpu);
  while (cpu.shortest === null && !gpu.isOver) await after(PATIENCE.cpu);
  return 'late';
}

/** Difference of the first update's numbers from another device's, in words; null if they agree. */
function strangeness(numbers: Float64Array, others: Float64Array): string | null {
  for (const name of COMPARED) {
    for (let at = METRIC[name]; at < others.length; at += METRICS.length) {
      const [one, other] = [numbers[at] as number, others[at] as number];
      if (Number.isNaN(other) || Math.abs(one - other) <= ALIKE.share * Math.abs(other) + ALIKE.beside) continue;
      return `${name} ${one.toPrecision(3)} in the first update, and ${other.toPrecision(3)} on the CPU`;
    }
  }
  return null;
}

/** A side of the race: a training of its own, which nothing else sees. */
class Lane {
  /** Seconds of an update, the shortest of those timed; null before one was. */
  shortest: number | null = null;
  /** Metrics of the first update; null before it. */
  #first: Float64Array | null = null;
  isReady = false;
  isOver = false;
  #training: Training | null = null;
  readonly #open: () => Promise<Training>;

  constructor(
    rivals: Rivals,
    side: 'gpu' | 'cpu',
    experiment: Experiment,
    options: Parameters<ChosenBackend['train']>[1],
  ) {
    this.#open = async () => (await rivals.open(side)).train(experiment, options);
  }

  /** Result; null before an update was timed. */
  get result(): { readonly shortest: number; readonly first: Float64Array } | null {
    return this.shortest === null || this.#first === null ? null : { shortest: this.shortest, first: this.#first };
  }

  async ready(onProgress?: (done: number, total: number) => void): Promise<void> {
    try {
      const training = await this.#open();
      if (this.isOver) training.dispose();
      else {
        this.#training = training;
        await training.prepare(onProgress);
      }
    } finally {
      this.isReady = true;
    }
  }

  /** Makes an update to warm up, and times one, or more until `enough`. */
  async time(enough: () => boolean): Promise<void> {
    for (let updates = 0; !this.isOver && (updates < 2 || !enough()); updates++) {
      const start = performance.now();
      const metrics = await this.#makeUpdate();
      if (this.isOver || metrics === null) return;
      if (updates === 0) this.#first = metrics;
      else this.shortest = Math.min(this.shortest ?? Number.POSITIVE_INFINITY, (performance.now() - start) / 1000);
    }
  }

  /** Makes an update; rejects where the device is lost. */
  async #makeUpdate(): Promise<Float64Array | null> {
    const training = this.#training;
    if (training === null) return null;
    const lost = training.lost.then((error) => Promise.reject(error));
    const updated = training.runUpdate();
    // Metrics after the end of the race are of no use.
    updated.then(({ metrics }) => metrics).catch(() => {});
    const { metrics } = await Promise.race([updated, lost]);
    return Promise.race([metrics, lost]);
  }

  end(): void {
    this.isOver = true;
    this.#training?.dispose();
    this.#training = null;
  }
}
