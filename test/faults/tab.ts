/** A tab of the page without a browser: its stores over a storage in memory, and a Worker that trains what a test says. */
import { defaultPreset } from '../../src/experiment/presets/presets';
import { METRICS } from '../../src/rl/measure/metrics';
import { openRunArchive } from '../../src/storage/runs';
import { type Lab, openLab } from '../../src/store/openLab';
import { workers } from '../store/scriptedWorker';

const { experiment } = defaultPreset;
export const MEMBERS = experiment.arms.length * experiment.seeds;

/** Milliseconds, for what never comes. */
const PATIENCE = 60_000;

/** A tab with the lab in it. */
export class Tab {
  readonly lab: Lab;
  readonly #worker = workers();
  #updates = 0;

  static #opened: Tab[] = [];

  /** Resolves when no tab has anything left to keep. */
  static async closeAll(): Promise<void> {
    const tabs = Tab.#opened;
    Tab.#opened = [];
    for (const tab of tabs) {
      tab.lab.editor.reset('values');
      await tab.kept();
    }
  }

  constructor() {
    Tab.#opened.push(this);
    this.lab = openLab('', this.#worker.start, openRunArchive, null);
  }

  /** Begins a run; an earlier one makes way. */
  begin(): void {
    this.#updates = 0;
    this.lab.editor.reset('values');
    this.lab.editor.run();
    this.#worker.latest.enter('running');
  }

  /** Trains an update of so many seconds, and is paused; resolves when it is kept, or said not to be. */
  async train(seconds = 0.5): Promise<void> {
    this.#measure(seconds);
    this.#worker.latest.enter('paused', this.#updates);
    await this.kept();
  }

  /** Trains an update and goes on. True as soon as it is kept and there is something to draw; false after PATIENCE. */
  async goesOn(): Promise<boolean> {
    const { tick } = this.lab.store.getState();
    this.#measure(0.5);
    for (let waited = 0; waited < PATIENCE; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (this.lab.store.getState().tick > tick && this.acknowledged === this.#updates) return true;
    }
    return false;
  }

  #measure(seconds: number): void {
    const { latest } = this.#worker;
    latest.enter('running', this.#updates);
    const values = new Float32Array(MEMBERS * METRICS.length).fill(this.#updates);
    latest.measure(this.#updates, 1, MEMBERS, values, seconds);
    this.#updates += 1;
  }

  /** Resolves when all that was to be kept has been. */
  async kept(): Promise<void> {
    // Requests are carried out in order, and this is the last.
    await this.lab.kept.pin(null);
  }

  /** Updates that the lab says are kept; 0 if it says that they are not. */
  get acknowledged(): number {
    const { problem, shown, runs } = this.lab.kept.store.getState();
    return problem === null ? (runs.find(({ id }) => id === shown)?.updates ?? 0) : 0;
  }
}
