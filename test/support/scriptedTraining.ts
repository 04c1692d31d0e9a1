/** Scripted training, for tests of the code around a training. */
import type { Experiment } from '../../src/experiment/experiment';
import { LabError } from '../../src/foundation/errors';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import type { Member } from '../../src/rl/population';
import { chooseMembers, type Snapshot, type TrainerUpdate, type Training } from '../../src/train/population/training';

export const TOKENS_PER_UPDATE = 100;

/** Training that computes nothing. It loses its device at update `loseAt`, whose metrics fail, and the next update fails. */
export class ScriptedTraining implements Training {
  readonly members: readonly Member[];
  readonly experiment: Experiment;
  readonly lost: Promise<LabError>;
  readonly error = new LabError('device-lost', 'The GPU stopped answering.', 'Choose a smaller preset.');
  readonly microbatches = 1;
  finished = 0;
  diverging = -1;
  readonly #loseAt: number;
  #lose: (error: LabError) => void = () => {};

  constructor(experiment: Experiment, loseAt = Number.POSITIVE_INFINITY) {
    this.experiment = experiment;
    this.members = chooseMembers(experiment, {});
    this.#loseAt = loseAt;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  async prepare(): Promise<void> {}
  async warmUp() {
    return { done: 0, total: 0 };
  }
  async inspect(): Promise<null> {
    return null;
  }
  setTimeline(): void {}
  async restore({ update }: Snapshot): Promise<void> {
    this.finished = update;
  }
  async dream() {
    return [];
  }
  async probe() {
    return [];
  }
  dispose(): void {}

  async runUpdate(): Promise<TrainerUpdate> {
    // Long enough for an unhandled rejection to be reported.
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (this.finished > this.#loseAt) {
      setTimeout(() => this.#lose(this.error), 20);
      throw new Error('mapAsync was aborted');
    }
    const update = this.finished++;
    const metrics = async (): Promise<Float64Array> => {
      if (update === this.#loseAt) throw new Error('the buffer was destroyed');
      // These metrics are still awaited when the next update has already failed.
      if (update === this.#loseAt - 1) await new Promise((resolve) => setTimeout(resolve, 10));
      const values = new Float64Array(this.members.length * METRICS.length).fill(update);
      if (this.diverging >= 0 && update >= 3) values[this.diverging * METRICS.length + METRIC.gradNorm] = Number.NaN;
      return values;
    };
    return { update, tokens: TOKENS_PER_UPDATE, metrics: metrics(), episodes: null, diagnosis: null };
  }

  async snapshot(): Promise<Snapshot> {
    const row = (): Float32Array => new Float32Array(this.members.length).fill(this.finished);
    const tensors = { parameters: row(), firstMoment: row(), secondMoment: row(), step: row(), reference: row() };
    return { update: this.finished, members: this.members, timeline: [], tasks: [], successRates: [], tensors };
  }
}
