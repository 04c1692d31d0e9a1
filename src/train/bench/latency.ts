/**
 * Updates on a device whose readbacks arrive late: how much of the waiting is hidden where a batch is played in cohorts. The
 * latency is injected into every readback of a device that has next to none of its own. Of an update of T turns in K cohorts
 * that work for W in a turn, all together, each wait has the others' work to hide in: (1 − 1/K)·W. What is left of the latency
 * is waited for every turn, and what was hidden once, at the end:
 *   growth ≤ Σ over turns of max(0, latency − (1 − 1/K)·W) + latency
 */
import type { Experiment } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import type { Backend, Tensor } from '../../tensor/backend';
import { Trainer } from '../population/trainer';
import type { Snapshot } from '../population/training';
import { standingIn } from './counts';
import type { LatencyReport } from './report';

export interface LatencyOptions {
  /** Opens a backend, one for each number of cohorts. */
  open(): Promise<Backend>;
  readonly experiment: Experiment;
  /** Updates measured, the same ones every time, and how often; the shortest time of each of their turns counts. */
  readonly updates: number;
  readonly goes: number;
  /** Seconds; measured from 0 on, in any case. */
  readonly latencies: readonly number[];
  readonly cohorts: readonly number[];
}

/** Seconds: of each turn of all updates, all cohorts together, of what comes after the turns, and of waits, by update. */
interface Times {
  readonly turns: readonly number[];
  readonly rests: readonly number[];
  readonly waits: readonly number[];
}

export async function benchLatency(options: LatencyOptions, say: (text: string) => void): Promise<LatencyReport> {
  const { experiment, updates, goes } = options;
  const latencies = [...new Set([0, ...options.latencies])];
  const trainings: LateTraining[] = [];
  try {
    for (const cohorts of options.cohorts) {
      say(`compiling for ${cohorts} cohorts`);
      trainings.push(await LateTraining.open(await options.open(), experiment, cohorts));
    }
    const times = new Map<string, Times>();
    let numbers: readonly Float64Array[] | null = null;
    for (let go = 0; go < goes; go++) {
      for (const training of trainings) {
        for (const latency of latencies) {
          say(`go ${go + 1} of ${goes}: ${training.cohorts} cohorts, readbacks ${latency * 1000} ms late`);
          const { metrics, ...measured } = await training.run(updates, latency);
          numbers ??= metrics;
          expectSame(numbers, metrics, training.cohorts);
          const key = `${training.cohorts} ${latency}`;
          times.set(key, shortest(measured, times.get(key)));
        }
      }
    }
    const rows = trainings.flatMap(({ cohorts }) => {
      const timesAt = (latency: number): Times => times.get(`${cohorts} ${latency}`) as Times;
      const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / updates;
      return latencies.map((latency) => {
        const { turns, rests, waits } = timesAt(latency);
        const left = timesAt(0).turns.map((work) => Math.max(0, latency - (1 - 1 / cohorts) * work));
        const growth = meanOf(waits) - meanOf(timesAt(0).waits);
        return { cohorts, latency, seconds: meanOf([...turns, ...rests]), growth, bound: meanOf(left) + latency };
      });
    });
    return { subject: 'latency', experiment: experiment.preset, rows };
  } finally {
    for (const training of trainings) training.dispose();
  }
}

function shortest(one: Times, other: Times = one): Times {
  const least = (name: keyof Times) => one[name].map((value, i) => Math.min(value, other[name][i] ?? value));
  return { turns: least('turns'), rests: least('rests'), waits: least('waits') };
}

function expectSame(before: readonly Float64Array[], after: readonly Float64Array[], cohorts: number): void {
  if (after.every((values, i) => values.every((value, j) => Object.is(value, before[i]?.[j])))) return;
  const what = `A batch played in ${cohorts} cohorts gave other numbers.`;
  throw new LabError('internal', what, 'Please report this with the name of the device.');
}

/** A training whose readbacks can be made late, and which can make its first updates again. */
class LateTraining {
  readonly cohorts: number;
  readonly #trainer: Trainer;
  readonly #begun: Snapshot;
  readonly #late: Late;

  private constructor(cohorts: number, trainer: Trainer, begun: Snapshot, late: Late) {
    this.cohorts = cohorts;
    this.#trainer = trainer;
    this.#begun = begun;
    this.#late = late;
  }

  static async open(device: Backend, experiment: Experiment, cohorts: number): Promise<LateTraining> {
    const late: Late = { seconds: 0, arrivals: [], waited: 0 };
    const trainer = new Trainer(lateBackend(device, late), { ...experiment, diagnosticsEvery: 0 }, { cohorts });
    await trainer.prepare();
    await (await trainer.runUpdate()).metrics;
    return new LateTraining(cohorts, trainer, await trainer.snapshot(), late);
  }

  async run(updates: number, latency: number): Promise<Times & { readonly metrics: readonly Float64Array[] }> {
    await this.#trainer.restore(this.#begun);
    const late = this.#late;
    late.seconds = latency;
    const rests: number[] = [];
    const waits: number[] = [];
    const turns: number[] = [];
    const metrics: Promise<Float64Array>[] = [];
    for (let update = 0; update < updates; update++) {
      late.arrivals = [];
      late.waited = 0;
      const start = performance.now();
      // As in a run, the metrics of an update arrive while the next one plays.
      metrics.push((await this.#trainer.runUpdate()).metrics);
      await metrics[update === updates - 1 ? update : update - 1];
      const ends = late.arrivals.filter((_, i) => i % this.cohorts === this.cohorts - 1);
      turns.push(...ends.map((end, i) => (end - (ends[i - 1] ?? start)) / 1000));
      rests.push((performance.now() - (ends.at(-1) ?? start)) / 1000);
      waits.push(late.waited / 1000);
    }
    late.seconds = 0;
    return { turns, rests, waits, metrics: await Promise.all(metrics) };
  }

  dispose(): void {
    this.#trainer.dispose();
  }
}

interface Late {
  /** Lateness of readbacks, seconds. */
  seconds: number;
  /** Times at which words of turns arrived, milliseconds. */
  arrivals: number[];
  /** Milliseconds in which nothing was asked of the device, and a readback was awaited. */
  waited: number;
}

function lateBackend(backend: Backend, late: Late): Backend {
  let busy = performance.now();
  const methods: Pick<Backend, 'run' | 'read'> = {
    run(...programs) {
      backend.run(...programs);
      busy = performance.now();
    },
    async read<const L extends readonly Tensor[]>(...tensors: L) {
      const { seconds } = late;
      busy = performance.now();
      const values = await backend.read(...tensors);
      if (seconds > 0) await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      const now = performance.now();
      late.waited += now - busy;
      busy = now;
      if (tensors[0]?.label.startsWith('decode.')) late.arrivals.push(now);
      return values;
    },
  };
  return standingIn(backend, methods);
}
