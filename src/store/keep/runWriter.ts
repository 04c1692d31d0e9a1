/**
 * Writer of the run on screen: with its first measurement and its first kept policies, when it is changed, pauses or ends, when
 * another run takes its place, and every 20 s in between. Its policies are kept by the trainer (train/run/keep/keeper.ts).
 */
import type { Experiment } from '../../experiment/experiment';
import { METRICS } from '../../rl/measure/metrics';
import type { RunArchive, WrittenRun } from '../../storage/runs';
import type { LabState, LabStore } from '../lab';
import { outcomeOf } from '../look/outcomes';
import type { RunLooks } from '../run/looks';
import type { ArchiveQueue } from './archiveQueue';
import { areSame } from './keptRun';
import { runName } from './runName';

/** Milliseconds between two writes of a run under way. */
const WRITE_EVERY = 20_000;
const RESTING: readonly LabState['phase'][] = ['paused', 'diverged', 'finished', 'failed', 'stranded'];

/** A run's entry in the archive, with the contents last written. */
interface Entry {
  /** Id of the entry; null once it has been deleted: it is not written again. */
  readonly id: number | null;
  readonly name: string;
  readonly updates: number;
  readonly experiment: Experiment;
  readonly looks: RunLooks;
}

interface WriterOptions {
  readonly lab: LabStore;
  readonly queue: ArchiveQueue;
  /** Ids of runs that are not deleted for room. */
  readonly spared: () => ReadonlySet<number>;
  /** Called after each write of a run. */
  readonly written: (archive: RunArchive, run: string, written: WrittenRun) => Promise<void>;
}

export class RunWriter {
  readonly #options: WriterOptions;
  #lastWrite = 0;
  /** Run that was written last, or is to be. */
  #lastWritten = '';
  /** Entries by the run's id. */
  readonly #entries = new Map<string, Entry>();
  /** Experiment of the run before, from which this one's name says the difference. */
  #parent: Experiment | null = null;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Id of a run's entry; null if it has none, or has no more. */
  idOf(run: string): number | null {
    return this.#entries.get(run)?.id ?? null;
  }

  /** Goes on with a run that came from the archive. */
  take(run: string, entry: Entry): void {
    this.#entries.set(run, entry);
  }

  /** Writes the run where a change of the state is worth keeping. */
  follow(now: LabState, before: LabState): void {
    if (now.run !== before.run) {
      this.write(before);
      this.#lastWrite = performance.now();
      if (before.running !== null) this.#parent = before.running;
    } else if (now.running?.timeline !== before.running?.timeline) this.write(now);
    else if (now.running?.updates !== before.running?.updates) this.write(now);
    else if (now.keptUpdate !== null && before.keptUpdate === null) this.write(now);
    // The last numbers may come after the end.
    else if (
      RESTING.includes(now.phase) &&
      (now.phase !== before.phase || now.tick !== before.tick || !areSame(now, before))
    )
      this.write(now);
    else if (now.tick === before.tick) return;
    // News at once: policies that are kept of a run that is in no list could not be gone on with.
    else if (this.#lastWritten !== now.run || performance.now() - this.#lastWrite > WRITE_EVERY) this.write(now);
  }

  /** Writes the run on screen as far as it has come. */
  write(state: LabState = this.#options.lab.getState()): void {
    const { run: key, running: experiment, history, backend, machines, probed, dreamPoints, warmStart } = state;
    if (experiment === null || history === null || history.count === 0) return;
    const looks = { probed, dreamPoints, warmStart };
    const last = this.#entries.get(key);
    // A run that goes on without an update more has its settings in another object.
    const isWritten =
      last?.updates === history.count &&
      JSON.stringify(last.experiment) === JSON.stringify(experiment) &&
      areSame(last.looks, looks);
    if (last?.id === null || isWritten) return;
    this.#lastWrite = performance.now();
    this.#lastWritten = key;
    const parent = this.#parent;
    const curves = { metrics: METRICS, values: history.values(), seconds: history.seconds(), looks };
    const updates = history.count;
    const success = experiment.arms.map((_, arm) => outcomeOf(history, arm).success.mean);
    const { queue, spared, written } = this.#options;
    void queue.ask(async (archive) => {
      const entry = this.#entries.get(key);
      if (entry?.id === null) return;
      const name = entry?.name ?? runName(parent, experiment);
      const run = { id: entry?.id ?? null, run: key, date: Date.now(), experiment, name, updates, machines };
      const device = backend?.description ?? '';
      const annotation = { note: '', starred: false, tags: [], deleted: null };
      const outcome = await archive.put({ ...run, ...annotation, device, success }, curves, spared());
      const put = { id: outcome.id, name, updates, experiment, looks };
      this.#entries.set(key, put);
      try {
        await written(archive, key, outcome);
      } catch (cause) {
        // The run is written, but in no list: it is written again when the queue tries again.
        this.#entries.set(key, { ...put, updates: 0 });
        throw cause;
      }
    }, true);
  }
}
