/**
 * Loop of `lab run`: trains to the end or until it is told to stop. It saves after two seconds, then less and less often
 * (saves.ts), so a run that was killed can be continued. When the device or the world is lost, it saves the newest snapshot.
 */
import { WorldError } from '../../environments/own/examine/failure';
import { remote } from '../../environments/remote';
import { recordChanges } from '../../experiment/timeline';
import { Endings } from '../../foundation/endings';
import { LabError } from '../../foundation/errors';
import { brokenMembers, GradientWatch, nonFiniteWords } from '../../rl/measure/nonFinite';
import type { Probed } from '../../train/looks/shown';
import { ThreadEnded } from '../../train/pool/client';
import type { Snapshot, Training } from '../../train/population/training';
import type { RunResult } from '../../train/result/result';
import { type Divergence, DivergenceWatch } from '../../train/run/divergence';
import { encodeCheckpoint } from '../../train/run/keep/checkpoint';
import { lossBehind } from '../../train/run/keep/lost';
import { isWorldFault, threadsEnded } from '../../train/run/keep/mend';
import { recoveredWords, Snapshots } from '../../train/run/keep/recovery';
import { asRunError, resumeCommand, storageFailure } from '../errors';
import { ProgressBar, successWords } from './progressBar';
import { resultPieces } from './resultText';
import type { RunFolder } from './runFolder';
import { type DrivenRun, RunSoFar } from './runSoFar';
import { Saves } from './saves';
import type { EventFiles } from './tensorboard';

export interface DriveOptions extends DrivenRun {
  readonly folder: RunFolder;
  /** Updates between two fittings of linear probes; null for none. */
  readonly probeEvery?: number | null;
  /** Files for TensorBoard, where they were asked for. */
  readonly events?: EventFiles | null;
  /** Opens the training again from a snapshot, or from the beginning, where its threads ended. */
  readonly reopen?: (snapshot: Snapshot | null) => Promise<Training>;
  /** Longest wait between two saves. */
  readonly saveEverySeconds?: number;
  /** Milliseconds between attempts to save the end of the run. */
  readonly waits?: readonly number[];
}

export class Drive {
  #training: Training;
  readonly #options: DriveOptions;
  readonly #snapshots = new Snapshots((snapshot) => {
    this.#taken = snapshot;
  });
  readonly #bar: ProgressBar;
  readonly #soFar: RunSoFar;
  /** Arrival of the last update's metrics. */
  #pending: Promise<void> = Promise.resolve();
  readonly #saves: Saves;
  #stopping = false;
  #probes: Probed[] = [];
  readonly #endings = new Endings();
  readonly #gradients: GradientWatch;
  readonly #divergence: DivergenceWatch;
  /** Snapshot whose last updates may not have been measured yet; null if there is none. */
  #taken: Snapshot | null = null;
  /** Divergence that was said last. */
  #said: Divergence | null = null;
  /** Indices of members with a parameter that is not finite at the end. */
  #broken: ReadonlySet<number> = new Set();

  constructor(training: Training, options: DriveOptions) {
    const { experiment, saved } = options;
    this.#training = training;
    this.#options = options;
    this.#soFar = new RunSoFar(training, options);
    this.#bar = new ProgressBar(experiment.updates, training.finished);
    const { folder, saveEverySeconds, waits } = options;
    this.#saves = new Saves(folder, (text) => this.#bar.say(text), saveEverySeconds, waits);
    this.#gradients = new GradientWatch(() => experiment);
    for (let update = 0; update < training.finished; update++) {
      this.#gradients.add(update, this.#soFar.curves(update + 1, update), training.members);
    }
    this.#divergence = new DivergenceWatch(this.#gradients, () => experiment);
    if (saved !== null) this.#divergence.consider(saved.snapshot);
  }

  /** Ends training after the update in flight. */
  stop(): void {
    this.#stopping = true;
    this.#bar.say('Stopping after this update; press Ctrl-C again to stop at once.');
  }

  /**
   * Trains; true if it reached the end. What could not be saved is in `unsaved`. Throws LabError that says what was saved.
   */
  async run(): Promise<boolean> {
    const { experiment } = this.#options;
    try {
      while (!(await this.#trains()));
      this.#bar.end();
      const complete = this.#training.finished >= experiment.updates;
      await this.#end();
      return complete;
    } catch (cause) {
      this.#bar.end();
      throw await this.#rescue(cause);
    }
  }

  /** Failures to save the end of the run, after several attempts. */
  get unsaved(): readonly LabError[] {
    return this.#saves.unsaved;
  }

  /** The run so far. */
  result(): RunResult {
    const { probeEvery } = this.#options;
    const result = this.#soFar.result(this.#broken);
    return probeEvery === undefined || probeEvery === null ? result : { ...result, probes: this.#probes };
  }

  /** Trains; false where the training ended and goes on in another. Throws other failures. */
  async #trains(): Promise<boolean> {
    try {
      await this.#train();
      return true;
    } catch (cause) {
      const why = await lossBehind(this.#training);
      const { reopen } = this.#options;
      if (!(why instanceof ThreadEnded) || reopen === undefined) throw cause;
      await this.#replace(why, reopen);
      return false;
    }
  }

  /**
   * Goes on in another training, from the newest snapshot. Throws `why` where that does not help, or what is wrong with the world.
   */
  async #replace(why: ThreadEnded, reopen: NonNullable<DriveOptions['reopen']>): Promise<void> {
    const { experiment, saved } = this.#options;
    const { finished } = this.#training;
    const ending = { update: finished, call: why.call };
    const sequel = this.#endings.add(ending);
    await Promise.allSettled([this.#pending, this.#snapshots.untilSettled()]);
    if (sequel === 'over') throw why;
    if (sequel === 'rest') throw threadsEnded(experiment, ending);
    const snapshot = this.#snapshots.latest ?? saved?.snapshot ?? null;
    this.#training.dispose();
    this.#training = await reopen(snapshot);
    this.#pending = Promise.resolve();
    const from = this.#training.finished;
    this.#probes = this.#probes.filter(({ update }) => update <= from);
    this.#options.events?.goBack(from);
    this.#bar.say(recoveredWords(why, finished, finished - from));
  }

  async #train(): Promise<void> {
    const training = this.#training;
    const { experiment } = this.#options;
    let lost: LabError | null = null;
    void training.lost.then((error) => {
      lost = error;
    });
    while (training.finished < experiment.updates && !this.#stopping) {
      const { update, metrics, tokens } = await training.runUpdate();
      // A failure that comes before the await below must not count as unhandled.
      metrics.catch(() => {});
      await this.#pending;
      await this.#sayDivergence();
      if (lost !== null) throw lost;
      this.#soFar.addTokens(update, tokens);
      this.#pending = metrics.then((values) => this.#add(update, values));
      this.#pending.catch(() => {});
      this.#bar.advance(training.finished, tokens, () => successWords(training.members, this.#soFar.curves()));
      // A world of another program may go at any update, also before the first save.
      this.#snapshots.consider(training, experiment.environment.id === remote.id);
      await this.#probe();
      // Lets signals in: a backend that computes on this thread would otherwise never give way to them.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#saves.areDue) {
        await this.#pending;
        await this.#saves.onTime(this.#soFar.checkpointOf(await training.snapshot()));
      }
    }
    await this.#pending;
    await this.#sayDivergence();
  }

  async #probe(): Promise<void> {
    const { finished } = this.#training;
    const { probeEvery } = this.#options;
    if (probeEvery === undefined || probeEvery === null || finished % probeEvery !== 0) return;
    this.#probes.push({ update: finished, members: (await this.#training.probe(null)) ?? [] });
  }

  #add(update: number, values: ArrayLike<number>): void {
    this.#soFar.addMetrics(update, values);
    const unwritten = this.#options.events?.add(update, values);
    if (unwritten) this.#bar.say(`${unwritten.what} TensorBoard hears no more of this run. Training goes on.`);
    for (const { member, ...fault } of this.#gradients.add(update, values, this.#training.members)) {
      this.#bar.say(nonFiniteWords(`${member.arm} seed ${member.seed}`, fault));
    }
    if (this.#taken !== null && this.#taken.update <= update + 1) {
      this.#divergence.consider(this.#taken);
      this.#taken = null;
    }
    this.#divergence.check(update, this.#training.members);
  }

  /** Says that policies have diverged, and saves the last state from before that, ready to be continued. */
  async #sayDivergence(): Promise<void> {
    const { found: divergence } = this.#divergence;
    if (divergence === null || divergence === this.#said) return;
    this.#said = divergence;
    const { snapshot, changes, to, members } = divergence;
    const names = members.map(({ member }) => `${member.arm} seed ${member.seed}`).join(', ');
    const rates = changes.map(({ arm, value, update }) => `${arm}’s learning rate ${value} from update ${update} on`);
    this.#bar.say(`Diverged, no gradient has been finite for some updates: ${names}.`);
    if (snapshot === null)
      return this.#bar.say(`No state before that was healthy. Begin again with ${rates.join(', ')}.`);
    const { folder, experiment } = this.#options;
    const timeline = recordChanges(experiment.timeline, changes);
    try {
      const lowered = this.#soFar.checkpointOf({ ...snapshot, timeline }, { ...experiment, timeline });
      await folder.saveHealthy(encodeCheckpoint(lowered));
    } catch (cause) {
      return this.#bar.say(`${storageFailure(cause).what} The state from before the divergence is not kept.`);
    }
    const command = `${resumeCommand(folder)} --roll-back --out ${folder.path}-back`;
    this.#bar.say(`The state after update ${to} is kept. To go on from it with ${rates.join(', ')}: ${command}`);
  }

  /** Looks at the policies at the end, and saves them. */
  async #end(): Promise<void> {
    const snapshot = await this.#training.snapshot();
    this.#broken = brokenMembers(this.#options.experiment, snapshot.members, snapshot.tensors.parameters);
    if (this.#saves.newest === snapshot.update) return;
    await this.#saves.patiently(() => this.#saves.keep(this.#soFar.checkpointOf(snapshot)));
  }

  async saveResult(): Promise<void> {
    await this.#saves.patiently(() => this.#options.folder.saveResult(resultPieces(this.result())));
  }

  /** Saves as much as can still be saved. Returns the failure, with advice on how to continue. */
  async #rescue(failure: unknown): Promise<LabError> {
    const isOfWorld = failure instanceof WorldError;
    const loss = isOfWorld ? null : await lossBehind(this.#training);
    // A device that is there still gives the numbers it was asked for last.
    if (loss === null) await Promise.allSettled([this.#pending, this.#snapshots.untilSettled()]);
    const error = asRunError(loss ?? failure);
    const { folder, saved } = this.#options;
    const snapshot = this.#snapshots.latest;
    try {
      if (snapshot !== null && snapshot.update > this.#saves.newest && snapshot.update <= this.#soFar.arrived) {
        await this.#saves.keep(this.#soFar.checkpointOf(snapshot));
      }
      if (this.#soFar.arrived > 0) await folder.saveResult(resultPieces(this.result()));
    } catch (cause) {
      const why = asRunError(cause).what;
      return new LabError(error.code, error.what, `${error.advice} Nothing more could be saved: ${why}`, { cause });
    }
    const advice = [error.advice];
    if (folder.hasResult)
      advice.push(`The curves of ${this.#soFar.arrived} updates are in ${folder.path}/result.json.`);
    const mended = isWorldFault(this.#options.experiment, error) ? ' --world FILE' : '';
    const { newest } = this.#saves;
    if (newest >= 0) advice.push(`To continue from update ${newest}: ${resumeCommand(folder)}${mended}`);
    else if (saved !== null) advice.push('The checkpoint it was resumed from is unchanged, and can be resumed again.');
    return new LabError(error.code, error.what, advice.join(' '), { cause: failure });
  }
}
