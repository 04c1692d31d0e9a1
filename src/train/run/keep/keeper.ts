/**
 * Keeper of a run in the page: it saves the newest state and the curves since the last save where the browser keeps them, every
 * few seconds and whenever the run rests. It reads clocks, which decide when something is saved, never what is computed. A save
 * that fails is said once and tried again; training goes on.
 */
import type { Experiment } from '../../../experiment/experiment';
import type { MachineEntry } from '../../../experiment/machines';
import { asLabError } from '../../../foundation/errors';
import type { SnapshotArchive } from '../../../storage/snapshots';
import type { Snapshot, Training } from '../../population/training';
import type { BackendKind, TrainerEvent } from '../../protocol';
import { encodePiece, type UpdateMeasurements } from '../curvePieces';
import { encodeCheckpoint } from './checkpoint';
import type { KeptRunState, OpenStates } from './keptStates';

/** Milliseconds of training before the first save. */
const FIRST = 1000;
/** Milliseconds from one save to the next: at most, because one slow moment of the disk must not cost an hour of training. */
const [LEAST, MOST] = [4000, 300_000];
/** Milliseconds until a save is tried again that failed. */
const AGAIN = 10_000;
/** Wait after a save, in multiples of the time that it took: large policies are saved less often. */
const SHARE = 20;

export interface Keeping {
  /** Id of the run. */
  readonly run: string;
  readonly open: OpenStates;
}

/** The run as a saved state describes it. */
export interface RunNow {
  readonly experiment: Experiment;
  readonly backend: BackendKind;
  readonly machines: readonly MachineEntry[];
}

/** The run that is kept. */
interface KeptSource {
  /** State of the run now; null if nothing is to be kept any more. */
  now(): RunNow | null;
  /** Resolves when the measurements of all updates made so far have arrived. */
  measured(): Promise<unknown>;
  /** True if no policy of a snapshot has diverged; asked when its updates have been measured. */
  isHealthy(snapshot: Snapshot): boolean;
  /** Has the state offered again if the run rests; called some time after a save failed. */
  again(): void;
}

export class Keeper {
  readonly #run: string;
  readonly #source: KeptSource;
  readonly #archive: Promise<SnapshotArchive>;
  readonly #post: (event: TrainerEvent) => void;
  /** Measurements since the last save, by update. */
  readonly #rows = new Map<number, UpdateMeasurements>();
  /** Updates in the last save, and its experiment; those that a run goes on from at first. */
  #saved = 0;
  #savedOf: Experiment | null = null;
  /** Sums over the updates before `#saved`. */
  #tokens = 0;
  #seconds = 0;
  #due = performance.now() + FIRST;
  #saving: Promise<void> | null = null;
  /** Save of the state that the run rests in. */
  #resting: Promise<void> = Promise.resolve();
  #isFailing = false;
  #isClosed = false;

  constructor({ run, open }: Keeping, post: (event: TrainerEvent) => void, source: KeptSource) {
    this.#run = run;
    this.#post = post;
    this.#source = source;
    this.#archive = open();
    // A failure is told when something is to be saved.
    this.#archive.catch(() => {});
  }

  /** Goes on after a kept state. */
  goOn({ snapshot, tokens, seconds, checked }: KeptRunState): void {
    this.#saved = snapshot.update;
    this.#savedOf = checked;
    this.#tokens = tokens;
    this.#seconds = seconds.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : one), 0);
  }

  /** Goes back: updates from this one on are made again. */
  goBack(update: number): void {
    this.#saved = Math.min(this.#saved, update);
    this.#savedOf = null;
    this.hurry();
  }

  /** True if a state should be saved now. */
  get isDue(): boolean {
    return !this.#isClosed && this.#saving === null && performance.now() >= this.#due;
  }

  /** Makes the next save due: the page may be gone soon. */
  hurry(): void {
    this.#due = Math.min(this.#due, performance.now());
  }

  /** Takes the measurements of an update; those of one that is computed again replace the earlier ones. */
  add(update: number, row: UpdateMeasurements): void {
    if (!this.#isClosed) this.#rows.set(update, row);
  }

  /** Deletes all kept states of the run, and keeps nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rows.clear();
    await this.#saving;
    // Where storage refuses, nothing was kept, or it goes when there is no room.
    await this.#archive.then((archive) => archive.remove(this.#run)).catch(() => {});
  }

  /** Saves a snapshot if one is due. */
  offer(snapshot: Snapshot): void {
    if (this.isDue) void this.#save(snapshot);
  }

  /** Saves the state of a training that rests, unless it is kept already. */
  rest(training: Training): void {
    if (training.finished === 0 || this.#has(training.finished)) return;
    this.#resting = training.snapshot().then(
      (snapshot) => this.#save(snapshot),
      // The device was lost meanwhile: the last state stays.
      () => {},
    );
  }

  /** Resolves when no save is under way. */
  async untilSettled(): Promise<void> {
    await this.#resting;
    await this.#saving;
  }

  #has(update: number): boolean {
    return this.#saved === update && this.#savedOf === this.#source.now()?.experiment;
  }

  /** Saves a state, after any save under way. */
  async #save(snapshot: Snapshot): Promise<void> {
    while (this.#saving !== null) await this.#saving;
    const now = this.#source.now();
    if (now === null || this.#isClosed || this.#has(snapshot.update)) return;
    this.#saving = this.#attempt(snapshot, now).finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  async #attempt(snapshot: Snapshot, now: RunNow): Promise<void> {
    await this.#source.measured();
    const { update } = snapshot;
    const from = Math.min(this.#saved, update);
    const rows = Array.from({ length: update - from }, (_, i) => this.#rows.get(from + i));
    // The device was lost before they had arrived.
    if (!rows.every((row) => row !== undefined)) return;
    const tokens = rows.reduce((sum, row) => sum + row.tokens, this.#tokens);
    const seconds = rows.reduce((sum, row) => sum + row.seconds, this.#seconds);
    try {
      const archive = await this.#archive;
      const begun = performance.now();
      const dropped = await archive.put({
        ...{ run: this.#run, update, updates: now.experiment.updates, seconds, from },
        state: encodeCheckpoint({ ...now, snapshot, curves: new Float32Array(), tokens }, 'apart'),
        curves: rows.length === 0 ? null : encodePiece(from, rows),
        healthy: this.#source.isHealthy(snapshot),
      });
      const ended = performance.now();
      this.#due = ended + Math.min(MOST, Math.max(LEAST, SHARE * (ended - begun)));
      this.#isFailing = false;
      [this.#saved, this.#savedOf, this.#tokens, this.#seconds] = [update, now.experiment, tokens, seconds];
      for (const old of this.#rows.keys()) if (old < update) this.#rows.delete(old);
      this.#post({ type: 'kept', update, dropped });
    } catch (cause) {
      this.#due = performance.now() + AGAIN;
      // While it trains a later state is offered soon.
      setTimeout(() => this.#source.again(), AGAIN);
      if (this.#isFailing) return;
      this.#isFailing = true;
      const { message } = asLabError(cause);
      const text = `The policies of this run are not kept, should the page be closed: ${message} Training goes on.`;
      this.#post({ type: 'notice', kind: 'not-kept', update, text });
    }
  }
}
