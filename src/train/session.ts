/**
 * One run as the page sees it: the loop around a Training, its phases, and what is reported how often. A lost device ends
 * the session with an error; what was reported stays with the page.
 */
import type { Change, Experiment } from '../experiment/experiment';
import { parseExperiment } from '../experiment/parse';
import { recordChanges } from '../experiment/timeline';
import { asLabError, type LabError } from '../foundation/errors';
import { METRICS } from '../rl/metrics';
import { chooseBackend } from './backends';
import type { Watch } from './episodes';
import { browserPool } from './poolPort';
import type { BackendChoice, Phase, TrainerEvent } from './protocol';
import { Reporter } from './reporter';
import type { Training } from './training';

type Post = (event: TrainerEvent, transfer?: Transferable[]) => void;

/** Lets the Worker's event loop deliver messages; setTimeout would be throttled to 4 ms and more in hidden tabs. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export class Session {
  readonly #choice: BackendChoice;
  readonly #post: Post;
  readonly #reporter: Reporter;
  #experiment: Experiment;
  /** Null until it is prepared. */
  #trainer: Training | null = null;
  /** What dispose() frees: the same, from before it is prepared. */
  #opened: Training | null = null;
  #watch: Watch = { seed: 0, group: 0 };
  /** Updates still to run before pausing: Infinity while running, 0 while paused. */
  #allowed = 0;
  #looping: Promise<void> | null = null;
  #disposed = false;
  #failed = false;

  constructor(experiment: Experiment, choice: BackendChoice, post: Post) {
    this.#experiment = experiment;
    this.#choice = choice;
    this.#post = post;
    this.#reporter = new Reporter(post);
  }

  /** Acquires the backend, allocates, compiles; then runs if asked. Failure is reported, not thrown. */
  async prepare(run: boolean): Promise<void> {
    try {
      this.#phase('preparing', 'looking for the GPU');
      const { arms, seeds } = this.#experiment;
      const chosen = await chooseBackend(this.#choice, globalThis.navigator?.gpu, browserPool(arms.length * seeds));
      const { kind, description, software, reason } = chosen;
      this.#post({ type: 'backend', kind, description, software, reason });
      this.#phase('preparing', 'allocating memory');
      const trainer = chosen.train(this.#experiment);
      this.#opened = trainer;
      void trainer.lost.then((error) => this.#fail(error));
      await trainer.prepare((done, total) => this.#phase('preparing', `compiled ${done} of ${total} kernels`));
      this.#trainer = trainer;
      if (run) this.resume();
      else this.#phase('ready', '');
    } catch (cause) {
      this.#fail(asLabError(cause));
    }
  }

  resume(): void {
    this.#allow(Number.POSITIVE_INFINITY);
  }

  step(): void {
    this.#allow(1);
  }

  pause(): void {
    this.#allowed = 0;
    if (this.#looping !== null) this.#phase('running', 'pausing after this update');
  }

  /** Throws LabError when a change is not valid; training goes on without it. */
  change(changes: readonly Omit<Change, 'update'>[]): void {
    const trainer = this.#trainer;
    if (trainer === null) return;
    const update = trainer.finished + (this.#looping === null ? 0 : 1);
    const timed = changes.map((change) => ({ ...change, update }));
    const timeline = recordChanges(trainer.experiment.timeline, timed);
    trainer.setTimeline(parseExperiment({ ...trainer.experiment, timeline }).timeline);
    this.#post({ type: 'changed', changes: timed });
  }

  extend(updates: number): void {
    this.#experiment = { ...this.#experiment, updates };
    const trainer = this.#trainer;
    if (trainer !== null && this.#looping === null) {
      this.#phase(trainer.finished >= updates ? 'finished' : 'paused', '');
    }
  }

  watch(watch: Watch): void {
    this.#watch = watch;
    this.#reporter.episodesWanted();
  }

  /** Stops after the update in flight and frees the device. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#allowed = 0;
    await this.#looping;
    this.#opened?.dispose();
  }

  #allow(updates: number): void {
    this.#allowed = updates;
    if (this.#trainer === null || this.#failed || this.#looping !== null) return;
    this.#looping = this.#loop(this.#trainer)
      .catch((cause: unknown) => this.#fail(asLabError(cause)))
      .finally(() => {
        this.#looping = null;
      });
  }

  async #loop(trainer: Training): Promise<void> {
    const target = (): number => this.#experiment.updates;
    this.#reporter.restart();
    if (trainer.finished < target()) this.#phase('running', '');
    while (this.#allowed > 0 && trainer.finished < target() && !this.#failed) {
      this.#allowed -= 1;
      const watch = this.#reporter.wantsEpisodes() ? this.#watch : undefined;
      const result = await trainer.runUpdate(watch);
      this.#reporter.add(result, trainer.members.length, METRICS.length);
      await nextTask();
    }
    await this.#reporter.flush();
    if (this.#disposed || this.#failed) return;
    this.#phase(trainer.finished >= target() ? 'finished' : 'paused', '');
  }

  #fail(error: LabError): void {
    if (this.#failed || this.#disposed) return;
    this.#failed = true;
    this.#allowed = 0;
    this.#post({ type: 'error', code: error.code, message: error.message, advice: error.advice });
    this.#phase('failed', error.message);
  }

  #phase(phase: Phase, detail: string): void {
    if (this.#disposed) return;
    const update = this.#trainer?.finished ?? 0;
    this.#post({ type: 'phase', phase, update, updates: this.#experiment.updates, detail });
  }
}
