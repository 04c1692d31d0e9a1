/** Kept runs beside the one on screen: one pinned behind its charts, others compared with it. */

import { Curves } from '../../measured/curves';
import type { KeptRun, RunArchive } from '../../storage/runs';
import type { LabStore } from '../lab';
import type { RecordedRun } from '../look/contenders';
import type { ReadRun } from './keptRun';

/** Runs beside the one on screen, by their ids. */
export interface Beside {
  readonly pinned: number | null;
  /** Runs laid over one another, compared besides the pinned one. */
  readonly compared: readonly number[];
}

export class RunsBeside {
  readonly #lab: LabStore;
  readonly #read: (archive: RunArchive, run: KeptRun) => Promise<ReadRun>;
  readonly #told: (ids: Beside) => void;
  #pinned: RecordedRun | null = null;
  #compared: readonly RecordedRun[] = [];

  constructor(
    lab: LabStore,
    read: (archive: RunArchive, run: KeptRun) => Promise<ReadRun>,
    told: (ids: Beside) => void,
  ) {
    this.#lab = lab;
    this.#read = read;
    this.#told = told;
  }

  /** The pinned one first; without the run on screen, `shown`. */
  list(shown: number | null): readonly RecordedRun[] {
    const compared = this.#compared.filter(({ id }) => id !== this.#pinned?.id && id !== shown);
    return this.#pinned === null ? compared : [this.#pinned, ...compared];
  }

  /** Compared runs in the order in which they were chosen. */
  get compared(): readonly RecordedRun[] {
    return this.#compared;
  }

  /** Adds a run to the comparison, or removes it. */
  async compare(archive: RunArchive, run: KeptRun, isAdded: boolean): Promise<void> {
    const added = isAdded ? [await this.#recordOf(archive, run)] : [];
    this.#compared = [...this.#without(run.id), ...added];
    this.#tell();
  }

  /** Draws a run behind the charts; null takes it away. */
  async pin(archive: RunArchive, run: KeptRun | null): Promise<void> {
    const pinned = run === null ? null : await this.#recordOf(archive, run);
    this.#pinned = pinned;
    this.#tell();
    const ghost =
      pinned === null
        ? (this.#lab.getState().sent?.ghost ?? null)
        : {
            label: pinned.label,
            arms: pinned.experiment.arms,
            curves: new Curves(pinned.history, pinned.experiment),
          };
    this.#lab.setState({ ghost });
  }

  /** Leaves a run out of the comparison. */
  leaveOut(id: number): void {
    this.#compared = this.#without(id);
    this.#tell();
  }

  async #recordOf(archive: RunArchive, run: KeptRun): Promise<RecordedRun> {
    const { experiment, history } = await this.#read(archive, run);
    return { experiment, history, id: run.id, label: run.name };
  }

  #without(id: number): readonly RecordedRun[] {
    return this.#compared.filter((run) => run.id !== id);
  }

  #tell(): void {
    this.#told({ pinned: this.#pinned?.id ?? null, compared: this.#compared.map(({ id }) => id) });
  }
}
