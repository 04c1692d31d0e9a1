/**
 * Records of a run while it trains: measurements on their way to the page, the newest snapshot on the host, what the
 * browser keeps, and the last state from before a divergence.
 */
import type { Experiment } from '../../experiment/experiment';
import { METRIC, METRICS } from '../../rl/measure/metrics';
import type { Member } from '../../rl/population';
import type { Snapshot, Training } from '../population/training';
import { type Divergence, DivergenceWatch } from './divergence';
import { Keeper, type Keeping, type RunNow } from './keep/keeper';
import { type KeptRunState, readKept } from './keep/keptStates';
import { Snapshots } from './keep/recovery';
import { type Post, Reporter } from './reporter';

interface RecordsOptions {
  readonly post: Post;
  /** Experiment, with the timeline up to that moment. */
  readonly experiment: () => Experiment;
  /** The run as a kept state describes it; null if nothing is to be kept any more. */
  readonly now: () => RunNow | null;
  /** Store of the run's states; null if none. */
  readonly keeping: (Keeping & { readonly resume: boolean }) | null;
  /** Calls `rest` if the run rests. */
  readonly restAgain: () => void;
  /** Called when members have diverged. */
  readonly diverged: (divergence: Divergence) => void;
}

export class Records {
  readonly reporter: Reporter;
  readonly snapshots: Snapshots;
  readonly divergence: DivergenceWatch;
  readonly #options: RecordsOptions;
  readonly #keeper: Keeper | null;
  #members: readonly Member[] = [];

  constructor(options: RecordsOptions) {
    const { post, experiment, now, keeping } = options;
    this.#options = options;
    this.reporter = new Reporter(post, experiment, (update, row) => {
      this.#keeper?.add(update, row);
      const divergence = this.divergence.check(update, this.#members);
      if (divergence !== null) options.diverged(divergence);
    });
    this.divergence = new DivergenceWatch(this.reporter.gradients, experiment);
    this.snapshots = new Snapshots((snapshot) => this.#noteSnapshot(snapshot));
    const measured = (): Promise<unknown> => this.reporter.recentMetrics();
    const isHealthy = (snapshot: Snapshot): boolean => this.divergence.isHealthy(snapshot);
    this.#keeper =
      keeping === null ? null : new Keeper(keeping, post, { now, measured, isHealthy, again: options.restAgain });
  }

  #noteSnapshot(snapshot: Snapshot): void {
    this.#keeper?.offer(snapshot);
    void this.reporter.recentMetrics().then(() => {
      // Unless the run went back meanwhile.
      if (this.snapshots.latest === snapshot) this.divergence.consider(snapshot);
    });
  }

  /** Call after each update. */
  noteUpdate(training: Training): void {
    this.#members = training.members;
    this.snapshots.consider(training, this.#keeper?.isDue);
  }

  /** Keeps the state of a training that rests, unless it is kept already. */
  rest(training: Training): void {
    this.#keeper?.rest(training);
  }

  /** Resolves when all that had to be kept at rest is kept, or was refused. */
  async untilKept(): Promise<void> {
    await this.#keeper?.untilSettled();
  }

  /** Makes the next save due: the page may be gone soon. */
  hurry(): void {
    this.#keeper?.hurry();
  }

  /** Keeps nothing of the run from now on. */
  unkeep(): void {
    void this.#keeper?.close();
  }

  /** Reads the state that the run goes on from; null if it begins. Throws LabError 'storage' if it cannot be read. */
  async read(): Promise<KeptRunState | null> {
    const { keeping } = this.#options;
    return keeping?.resume === true ? readKept(await keeping.open(), keeping.run) : null;
  }

  /** Takes up a run's measurements until a state, and reports it. isKept: this browser keeps it. */
  takeUp(kept: KeptRunState, isKept: boolean): void {
    const { snapshot, checked, machines, curves, seconds, remarks } = kept;
    const { update, members } = snapshot;
    this.#members = members;
    this.snapshots.set(snapshot);
    if (isKept) this.#keeper?.goOn(kept);
    else this.#keep(kept);
    this.reporter.recall(curves, members);
    if (kept.wayBack !== null) this.divergence.trust(kept.wayBack);
    this.divergence.consider(snapshot);
    const { updates, timeline } = checked;
    const report = { updates, timeline, machines, members: members.length, values: curves, seconds };
    const { post } = this.#options;
    post({ type: 'resumed', isKept, update, ...report }, [curves.buffer, seconds.buffer]);
    for (const text of remarks) post({ type: 'notice', kind: 'recovered', update, text });
    const divergence = this.divergence.check(update - 1, members);
    if (divergence !== null) this.#options.diverged(divergence);
  }

  /** Reports that the run begins again: nothing of it is there. */
  beginAgain(): void {
    const { post, experiment } = this.#options;
    const { updates, timeline, arms, seeds } = experiment();
    const [values, seconds] = [new Float32Array(), new Float32Array()];
    const report = { updates, timeline, machines: [], members: arms.length * seeds, values, seconds };
    post({ type: 'resumed', isKept: false, update: 0, ...report });
  }

  /** Has the measurements kept of updates that were made elsewhere. */
  #keep({ snapshot, curves, seconds, checked }: KeptRunState): void {
    const size = snapshot.members.length * METRICS.length;
    seconds.forEach((time, update) => {
      const metrics = curves.slice(update * size, (update + 1) * size);
      this.#keeper?.add(update, { metrics, seconds: time, tokens: tokensOf(metrics, checked) });
    });
  }

  /** Goes back to a state: later updates are measured again. */
  async goBack(to: number, snapshot: Snapshot | null): Promise<void> {
    await this.snapshots.untilSettled();
    this.snapshots.set(snapshot);
    this.reporter.goBack(to);
    this.#keeper?.goBack(to);
    this.divergence.wentBack();
  }
}

/** Tokens of an update's trajectories, all members. metrics: [P, METRICS.length]. */
function tokensOf(metrics: Float32Array, { batch }: Pick<Experiment, 'batch'>): number {
  let tokens = 0;
  for (let at = METRIC.trajectoryTokens; at < metrics.length; at += METRICS.length) {
    tokens += Math.round((metrics[at] as number) * batch.groups * batch.groupSize);
  }
  return tokens;
}
