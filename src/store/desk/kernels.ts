/**
 * State of the page of kernels: their texts, agreement with the reference, times, and results of a fixture file. A Worker
 * of its own does one job at a time; a job is stopped by ending the Worker. Checks run beside a training run; timing
 * pauses it.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { withoutAdvice } from '../../foundation/errors';
import type {
  DeviceLine,
  FixtureReport,
  KernelJob,
  KernelNews,
  KernelText,
  KernelTiming,
  OperationCheck,
} from '../../train/kernels/report';
import type { TrainerEvent } from '../../train/protocol';
import type { PreferencesStore } from '../keep/preferences';
import type { RunFailure } from '../lab';
import type { RunPause, Timed } from '../run/runPause';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';

/** Job other than the list of kernels. */
export type Work = Exclude<KernelJob, { type: 'list' }>;

export interface KernelsState {
  /** Texts of the kernels; null until they have come. */
  readonly kernels: readonly KernelText[] | null;
  /** Device of the last job; null before the first. */
  readonly device: DeviceLine | null;
  /** Job that is running; null for none. */
  readonly work: Work | null;
  /** True while the job waits for the run to pause after its update. */
  readonly waiting: boolean;
  readonly done: number;
  readonly of: number;
  readonly text: string;
  /** Newest check of each operation and variant. */
  readonly checks: readonly OperationCheck[];
  readonly timings: readonly KernelTiming[];
  readonly fixtures: FixtureReport | null;
  /** Reason why the last job ended early; null if it did not. */
  readonly ended: ({ readonly work: Work | null } & Omit<RunFailure, 'update'>) | null;
}

const NOTHING_KNOWN = { device: null, checks: [], timings: [], fixtures: null, ended: null } as const;

export class KernelDesk implements Timed {
  readonly store: StoreApi<KernelsState>;
  readonly #pause: RunPause;
  readonly #bridge: TrainerBridge;
  readonly #preferences: PreferencesStore;

  constructor(pause: RunPause, startWorker: () => TrainerWorker, preferences: PreferencesStore) {
    this.#pause = pause;
    this.#preferences = preferences;
    this.#bridge = new TrainerBridge(startWorker, (event) => this.#receive(event));
    this.store = createStore<KernelsState>(() => ({
      kernels: null,
      work: null,
      waiting: false,
      done: 0,
      of: 1,
      text: '',
      ...NOTHING_KNOWN,
    }));
    preferences.subscribe((now, before) => {
      // Results are of another device.
      if (now.backend === before.backend) return;
      this.stop();
      this.store.setState(NOTHING_KNOWN);
    });
  }

  /** Asks for the list of kernels, unless it has come. */
  load(): void {
    if (this.store.getState().kernels === null) this.#send({ type: 'list' });
  }

  check(kernels: readonly string[]): void {
    this.#start({ type: 'check', kernels });
  }

  time(kernel: string): void {
    this.#start({ type: 'time', kernel });
  }

  checkFixtures(file: File): void {
    this.#start({ type: 'fixtures', name: file.name, file });
  }

  /** Stops the job at once; results so far stay. */
  stop(): void {
    this.#end('Stopped.', '');
  }

  begin(): void {
    const { work } = this.store.getState();
    this.store.setState({ waiting: false, text: 'starting' });
    if (work !== null) this.#send(work);
  }

  interrupt(why: string): void {
    this.#end(`Stopped, because ${why}.`, '');
  }

  #start(work: Work): void {
    if (this.store.getState().work !== null) return;
    this.store.setState({ work, ended: null, done: 0, of: 1, text: 'starting' });
    if (work.type === 'fixtures') this.store.setState({ fixtures: null });
    if (work.type === 'time') {
      this.store.setState({ waiting: true, text: 'pausing the run after its update' });
      this.#pause.take(this);
    } else this.#send(work);
  }

  #send(job: KernelJob): void {
    this.#bridge.send({ type: 'kernels', job, backend: this.#preferences.getState().backend });
  }

  #end(what: string, advice: string): void {
    const { work } = this.store.getState();
    if (work === null) return;
    this.#bridge.close();
    this.store.setState({ work: null, waiting: false, ended: { work, what, advice } });
    this.#pause.release(this);
  }

  #receive(event: TrainerEvent): void {
    if (event.type === 'kernels') this.#take(event.news);
    else if (event.type === 'error') {
      const { message, advice } = event;
      const what = withoutAdvice(message, advice);
      if (this.store.getState().work !== null) this.#end(what, advice);
      else this.store.setState({ ended: { work: null, what, advice } });
    }
  }

  #take(news: KernelNews): void {
    const { checks, timings } = this.store.getState();
    switch (news.type) {
      case 'list':
        this.store.setState({ kernels: news.kernels });
        break;
      case 'device':
        this.store.setState({ device: news.device });
        break;
      case 'progress':
        this.store.setState({ done: news.done, of: news.of, text: news.text });
        break;
      case 'checked': {
        const { operation, variant } = news.check;
        const otherChecks = checks.filter((one) => one.operation !== operation || one.variant !== variant);
        this.store.setState({ checks: [...otherChecks, news.check] });
        break;
      }
      case 'timed': {
        const { series, variant } = news.timing;
        const otherTimings = timings.filter((one) => one.series !== series || one.variant !== variant);
        this.store.setState({ timings: [...otherTimings, news.timing] });
        break;
      }
      case 'fixtures':
        this.store.setState({ fixtures: news.report });
        break;
      case 'done':
        this.store.setState({ work: null });
        this.#pause.release(this);
        break;
      default:
        news satisfies never;
    }
  }
}
