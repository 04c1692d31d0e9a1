/**
 * Speed of training on this device, by the benchmark of the command line. It runs in a Worker of its own: it computes
 * without a pause and is stopped by ending the Worker. A training run is paused meanwhile, because times measured beside
 * it would be wrong.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { withoutAdvice } from '../../foundation/errors';
import type { BenchmarkReport, Subject } from '../../train/bench/report';
import type { BackendChoice, TrainerEvent } from '../../train/protocol';
import type { RunFailure } from '../lab';
import type { RunPause, Timed } from '../run/runPause';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';

export interface SpeedState {
  /** `waiting`: for the run to pause after its update. */
  readonly phase: 'idle' | 'waiting' | 'measuring' | 'done' | 'stopped' | 'failed';
  readonly quick: boolean;
  /** Subjects to measure, and how many are measured. */
  readonly subjects: readonly Subject[];
  readonly done: number;
  /** Subject being timed, or why timing stopped. */
  readonly text: string;
  readonly reports: readonly BenchmarkReport[];
  readonly failure: Omit<RunFailure, 'update'> | null;
}

export class Speed implements Timed {
  readonly store: StoreApi<SpeedState>;
  readonly #pause: RunPause;
  readonly #bridge: TrainerBridge;
  readonly #backendChoice: () => BackendChoice;

  constructor(pause: RunPause, startWorker: () => TrainerWorker, backendChoice: () => BackendChoice) {
    this.#pause = pause;
    this.#bridge = new TrainerBridge(startWorker, (event) => this.#receive(event));
    this.#backendChoice = backendChoice;
    this.store = createStore<SpeedState>(() => ({
      phase: 'idle',
      quick: false,
      subjects: [],
      done: 0,
      text: '',
      reports: [],
      failure: null,
    }));
  }

  /** Begins measuring. `quick`: small sizes, only to see that it works. */
  start(subjects: readonly Subject[], quick: boolean): void {
    if (this.#isActive()) return;
    const text = 'pausing the run after its update';
    this.store.setState({ phase: 'waiting', subjects, quick, done: 0, text, reports: [], failure: null });
    this.#pause.take(this);
  }

  /** Stops measuring at once; reports so far stay. */
  stop(): void {
    if (this.#isActive()) this.#end('stopped', 'Stopped.');
  }

  begin(): void {
    this.store.setState({ phase: 'measuring', text: 'starting' });
    const { subjects, quick } = this.store.getState();
    this.#bridge.send({ type: 'measure', subjects, backend: this.#backendChoice(), quick });
  }

  interrupt(why: string): void {
    this.#end('stopped', `Stopped, because ${why}.`);
  }

  #isActive(): boolean {
    const { phase } = this.store.getState();
    return phase === 'waiting' || phase === 'measuring';
  }

  #receive(event: TrainerEvent): void {
    if (event.type === 'measuring') {
      const { done, text } = event;
      this.store.setState({ done, text });
    } else if (event.type === 'measured') {
      const reports = [...this.store.getState().reports, event.report];
      this.store.setState({ reports, done: reports.length });
      if (reports.length === this.store.getState().subjects.length) this.#end('done', '');
    } else if (event.type === 'error') {
      const { message, advice } = event;
      this.store.setState({ failure: { what: withoutAdvice(message, advice), advice } });
      this.#end('failed', '');
    }
  }

  #end(phase: 'done' | 'stopped' | 'failed', text: string): void {
    this.#bridge.close();
    this.store.setState({ phase, text });
    this.#pause.release(this);
  }
}
