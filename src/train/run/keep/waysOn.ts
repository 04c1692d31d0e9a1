/**
 * Ways on for a run after trouble: back from a divergence with a lower rate, on another backend where no device of its kind can be
 * had, in a mended world where that went wrong.
 */
import { asLabError } from '../../../foundation/errors';
import { lowerRates } from '../../../rl/measure/divergence';
import type { Snapshot } from '../../population/training';
import type { BackendChoice, TrainerEvent } from '../../protocol';
import { withChanges } from '../changes';
import type { OpenedRun } from '../choose/opening';
import type { Loop, LoopParts } from '../loop';
import { mendedExperiment } from './mend';
import { isPassing, switchedWords } from './recovery';

/** Difference of a run from the one that it went back in. */
type GoneBack = Omit<Extract<TrainerEvent, { type: 'went-back' }>, 'type' | 'update'>;

export class WaysOn {
  readonly #parts: Omit<LoopParts, 'looks'> & { readonly loop: Loop };

  constructor(parts: Omit<LoopParts, 'looks'> & { readonly loop: Loop }) {
    this.#parts = parts;
  }

  /** Opens a training, from the newest snapshot if there is one. Throws LabError. */
  open(): Promise<OpenedRun> {
    const { device, records, status } = this.#parts;
    return device.open(status.experiment, records.snapshots);
  }

  /** Trains on with an opened training. */
  take(opened: OpenedRun): void {
    this.#parts.device.take(opened, this.#parts.status.experiment.timeline);
  }

  /** Goes back to the last healthy state and on from there, or lets the run go on. Throws LabError and changes nothing. */
  async answerDivergence(goesBack: boolean): Promise<void> {
    const status = this.#parts.status;
    const { divergence } = this.#parts.records;
    const diverged = divergence.found;
    if (diverged === null || status.isEnded) return;
    divergence.dismiss();
    if (!goesBack) return;
    const arms = [...new Set(diverged.members.map(({ member }) => member.arm))];
    const changes = lowerRates(status.experiment, arms, diverged.to, status.furthest);
    const experiment = withChanges(status.experiment, changes);
    this.#parts.loop.stop();
    await this.#parts.loop.untilSettled();
    // The training is being opened, or has ended meanwhile.
    if (this.#parts.device.training === null || status.isEnded) return;
    this.#parts.device.release();
    status.experiment = experiment;
    try {
      await this.#goBack(diverged.to, diverged.snapshot, { changes });
    } catch (cause) {
      this.#parts.loop.fail(asLabError(cause));
    }
  }

  /** Goes on from an earlier state, with the present experiment; `news` says what is different. Throws LabError. */
  async #goBack(to: number, snapshot: Snapshot | null, news: GoneBack): Promise<void> {
    await this.#parts.records.goBack(to, snapshot);
    this.#parts.status.furthest = to;
    this.#parts.post({ type: 'went-back', update: to, ...news });
    this.#parts.status.preparing('going back');
    this.take(await this.open());
    this.#parts.loop.resume();
  }

  /** Goes on from the last snapshot with this backend, after being stranded. */
  async continueOn(choice: BackendChoice): Promise<void> {
    const status = this.#parts.status;
    if (status.strandedBy !== 'device' || status.isEnded) return;
    status.preparing('opening the backend that you chose');
    this.#parts.device.choose(choice);
    try {
      const opened = await this.open();
      this.take(opened);
      const from = opened.training.finished;
      this.#parts.post({ type: 'notice', kind: 'switched', update: from, text: switchedWords(from, opened.chosen) });
      this.#parts.loop.resume();
    } catch (cause) {
      status.strand(asLabError(cause));
    }
  }

  /** Goes on from the last snapshot in a mended world, after being stranded by it. Where that is wrong too, it waits on. */
  async mend(world: string): Promise<void> {
    const status = this.#parts.status;
    if (status.strandedBy !== 'world' || status.isEnded) return;
    status.preparing('reading the mended world');
    try {
      status.experiment = await mendedExperiment(status.experiment, world);
      this.#parts.loop.endings.clear();
      const { latest } = this.#parts.records.snapshots;
      const { environment } = status.experiment;
      await this.#goBack(latest?.update ?? 0, latest, { changes: [], environment });
    } catch (cause) {
      const error = asLabError(cause);
      status.strand(error, !isPassing(error));
    }
  }
}
