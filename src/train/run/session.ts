/**
 * One run as the page sees it: the loop around a Training, its phases, live changes, and recovery when the device is lost.
 * The numbers depend on nothing here but the experiment and its timeline.
 */
import type { Change, Experiment } from '../../experiment/experiment';
import { parseExperiment } from '../../experiment/parse';
import { recordChanges } from '../../experiment/timeline';
import { asLabError, isOutOfMemory, LabError } from '../../foundation/errors';
import { lowerRates } from '../../rl/divergence';
import type { Watch } from '../looks/episodes';
import { Looks } from '../looks/looks';
import type { FilePolicies, Snapshot, Training } from '../population/training';
import type {
  BackendChoice,
  DreamRequest,
  InspectionChoice,
  Phase,
  PolicyRequest,
  ProbeWatch,
  TrainerEvent,
} from '../protocol';
import { RunDevice } from './device';
import type { Divergence } from './divergence';
import type { MemberFile } from './exportMember';
import type { Keeping, RunNow } from './keeper';
import { lossBehind } from './lost';
import { isWorldFault, mendedExperiment, worldFault } from './mend';
import type { Opened } from './opening';
import { Records } from './records';
import { isPassing, LOST_WORDS, recoveredWords, STRANDED_ADVICE, switchedWords } from './recovery';

/** What is different from where a run went back. */
type GoneBack = Omit<Extract<TrainerEvent, { type: 'went-back' }>, 'type' | 'update'>;
type Post = (event: TrainerEvent, transfer?: Transferable[]) => void;

/** Lets the Worker's event loop deliver messages. setTimeout would be throttled to 4 ms, and more in hidden tabs. */
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

async function noPolicies(): Promise<FilePolicies> {
  return new Map();
}

export interface SessionOptions {
  /** Policies of the files that the experiment names. */
  readonly policies?: () => Promise<FilePolicies>;
  /** Where the run's states are kept; null if nowhere. `resume`: it goes on from the newest of them. */
  readonly keeping?: (Keeping & { readonly resume: boolean }) | null;
}

export class Session {
  readonly #post: Post;
  readonly #records: Records;
  /** The experiment, with every live change in its timeline. */
  #experiment: Experiment;
  readonly #device: RunDevice;
  readonly #looks: Looks;
  /** Null until one is ready, and while another is being opened. */
  #training: Training | null = null;
  #lost: LabError | null = null;
  #watch: Watch = { seed: 0, group: 0 };
  /** Updates still to run before pausing: Infinity while running, 0 while paused. */
  #allowed = 0;
  #looping: Promise<void> | null = null;
  /** The update being computed; a change made meanwhile acts from the next one. */
  #updating: Promise<void> | null = null;
  /** Largest number of updates finished so far; after the device is lost some are computed again. */
  #furthest = 0;
  #now: Phase = 'preparing';
  /** Cause of being stranded; null while it is not. */
  #stranded: 'device' | 'world' | null = null;
  /** True if it paused since nothing trains any more; false once the person has it train on. */
  #halted = false;
  #ended = false;

  constructor(experiment: Experiment, choice: BackendChoice, post: Post, options: SessionOptions = {}) {
    const { policies = noPolicies, keeping = null } = options;
    this.#experiment = experiment;
    this.#post = post;
    const detail = (text: string): void => this.#preparing(text);
    this.#device = new RunDevice(choice, { post, policies, detail, unwanted: () => this.#ended });
    this.#looks = new Looks({ post, isDone: () => this.#isDone() });
    this.#records = new Records({
      post,
      experiment: () => this.#experiment,
      now: () => this.#asNow(),
      keeping,
      diverged: (divergence) => this.#diverged(divergence),
    });
  }

  /** Acquires the backend, allocates, compiles; then runs if asked. A failure is reported, not thrown. */
  async prepare(run: boolean): Promise<void> {
    if (run) this.#allowed = Number.POSITIVE_INFINITY;
    try {
      await this.#takeUp();
      this.#preparing('looking for the GPU');
      this.#use(await this.#open());
      // A step or a pause asked for meanwhile counts.
      if (this.#allowed > 0) this.#allow(this.#allowed);
      else if (this.#furthest > 0 && this.#training !== null) this.#rest(this.#training);
      else this.#phase('ready', '');
    } catch (cause) {
      const error = asLabError(cause);
      // The kept state waits for a device of its kind, for the person to choose another, or for a mended world.
      const waits = isPassing(error) || isWorldFault(this.#experiment, error);
      if (this.#records.snapshots.latest !== null && waits) this.#strand(error);
      else this.#fail(error);
    }
  }

  /** Takes up the kept run that this one is. */
  async #takeUp(): Promise<void> {
    this.#preparing('reading the kept policies');
    const kept = await this.#records.read();
    if (kept === null) return;
    this.#experiment = kept.checked;
    this.#furthest = kept.snapshot.update;
    this.#device.goOn(kept);
    this.#records.takeUp(kept);
  }

  /** Keeps the state soon, if the browser can. */
  keep(): void {
    this.#records.hurry();
    this.#keepAtRest();
  }

  /** Keeps nothing of the run from now on. */
  unkeep(): void {
    this.#records.unkeep();
  }

  #keepAtRest(): void {
    if (this.#training !== null && this.#looping === null && this.#lost === null) this.#records.rest(this.#training);
  }

  /** The run as a kept state describes it; null once nobody wants it. */
  #asNow(): RunNow | null {
    const { backend, machines } = this.#device;
    return backend === null || this.#ended ? null : { experiment: this.#experiment, backend, machines };
  }

  resume(): void {
    this.#halted = false;
    this.#allow(Number.POSITIVE_INFINITY);
  }

  step(): void {
    this.#allow(1);
  }

  pause(): void {
    this.#allowed = 0;
    if (this.#looping !== null) this.#phase('running', 'pausing after this update');
  }

  /** Reports a divergence. A run in which nothing trains any more pauses. */
  #diverged({ members, isAll, to, changes }: Divergence): void {
    const told = members.map(({ member, update, cause }) => ({ arm: member.arm, seed: member.seed, update, cause }));
    this.#post({ type: 'diverged', members: told, isAll, to, changes });
    if (!isAll) return;
    this.#halted = true;
    this.#allowed = 0;
  }

  /** Goes back to the last healthy state and on from there, or leaves the run as it is. Throws LabError and changes nothing. */
  async answerDivergence(goesBack: boolean): Promise<void> {
    const { divergence } = this.#records;
    const found = divergence.found;
    if (found === null || this.#ended) return;
    divergence.dismiss();
    if (!goesBack) return;
    const arms = [...new Set(found.members.map(({ member }) => member.arm))];
    const changes = lowerRates(this.#experiment, arms, found.to, this.#furthest);
    const timeline = recordChanges(this.#experiment.timeline, changes);
    const experiment = parseExperiment({ ...this.#experiment, timeline });
    this.#allowed = 0;
    await this.#looping;
    const training = this.#training;
    // Being opened, or ended meanwhile.
    if (training === null || this.#ended) return;
    this.#training = null;
    training.dispose();
    this.#experiment = experiment;
    try {
      await this.#goBack(found.to, found.snapshot, { changes });
    } catch (cause) {
      this.#fail(asLabError(cause));
    }
  }

  /** Goes on from an earlier state, with the experiment as it is now; `told` says what is different. Throws LabError. */
  async #goBack(to: number, snapshot: Snapshot | null, told: GoneBack): Promise<void> {
    await this.#records.goBack(to, snapshot);
    this.#stranded = null;
    this.#furthest = to;
    this.#post({ type: 'went-back', update: to, ...told });
    this.#preparing('going back');
    this.#use(await this.#open());
    this.resume();
  }

  /** Applies live changes. Throws LabError when one is not valid; training then goes on without them. */
  change(changes: readonly Omit<Change, 'update'>[]): void {
    const next = (this.#training?.finished ?? 0) + (this.#updating === null ? 0 : 1);
    // Never in updates that are only computed again.
    const update = Math.max(next, this.#furthest);
    const timed = changes.map((change) => ({ ...change, update }));
    const timeline = recordChanges(this.#experiment.timeline, timed);
    this.#experiment = parseExperiment({ ...this.#experiment, timeline });
    this.#training?.setTimeline(this.#experiment.timeline);
    this.#post({ type: 'changed', changes: timed });
    this.keep();
  }

  /** Changes the number of updates. Throws LabError when it is not valid. */
  extend(updates: number): void {
    if (this.#ended) return;
    this.#experiment = parseExperiment({ ...this.#experiment, updates });
    const resting = this.#now === 'paused' || this.#now === 'finished' || this.#now === 'diverged';
    if (this.#training !== null && resting) this.#rest(this.#training);
    this.keep();
  }

  watch(watch: Watch): void {
    this.#watch = watch;
    this.#records.reporter.episodesWanted();
  }

  /** Asks for a trajectory's tokens; answered between two updates, at once when none is under way. */
  inspect(choice: InspectionChoice): void {
    this.#looks.inspect(choice);
    this.#look();
  }

  /** Asks for probes now and after every `watch.every` updates; null ends them. */
  watchProbes(watch: ProbeWatch | null): void {
    this.#looks.watchProbes(watch);
    this.#look();
  }

  /** A member's policy after the update in flight, as a file; training goes on meanwhile. Throws LabError. */
  async exportPolicy(request: PolicyRequest): Promise<MemberFile> {
    const { exportMember } = await import('./exportMember');
    // The loop yields after each update, so this code runs before the next update begins.
    await this.#updating?.catch(() => {});
    const training = this.#training;
    if (training === null || this.#lost !== null || this.#ended) {
      const what = 'The run has no policies at the moment: it is being prepared, or its device is gone.';
      throw new LabError('invalid-policy', what, 'Try again when it trains or has paused.');
    }
    const { experiment } = training;
    const [snapshot, metrics] = await Promise.all([training.snapshot(), this.#records.reporter.recentMetrics()]);
    return exportMember({ snapshot, experiment, machines: this.#device.machines }, request, metrics);
  }

  /** Asks for dreams: after the update being computed, or now; not while the device is lost. */
  dream(request: DreamRequest): void {
    this.#looks.dream(request);
    this.#look();
  }

  /** Starts the loop to answer looks at rest; in training it answers between two updates anyway. */
  #look(): void {
    if (this.#canAnswer()) this.#allow(this.#allowed);
  }

  /** Goes on from the last snapshot with this backend, after being stranded. */
  async continueOn(choice: BackendChoice): Promise<void> {
    if (this.#stranded !== 'device' || this.#ended) return;
    this.#stranded = null;
    this.#device.choose(choice);
    try {
      const opened = await this.#open();
      this.#use(opened);
      const from = opened.training.finished;
      const text = switchedWords(from, opened.chosen);
      this.#post({ type: 'notice', kind: 'switched', update: from, text });
      this.resume();
    } catch (cause) {
      this.#strand(asLabError(cause));
    }
  }

  /** Goes on from the last snapshot in a mended world, after being stranded by it. Where that is wrong too, it waits on. */
  async mend(world: string): Promise<void> {
    if (this.#stranded !== 'world' || this.#ended) return;
    this.#stranded = null;
    this.#preparing('reading the mended world');
    try {
      this.#experiment = await mendedExperiment(this.#experiment, world);
      const { latest } = this.#records.snapshots;
      await this.#goBack(latest?.update ?? 0, latest, { changes: [], environment: this.#experiment.environment });
    } catch (cause) {
      const error = asLabError(cause);
      this.#strand(error, !isPassing(error));
    }
  }

  /** Stops after the update in flight and frees the device. */
  async dispose(): Promise<void> {
    this.#ended = true;
    this.#allowed = 0;
    this.#looks.close();
    await this.#looping;
    this.#training?.dispose();
  }

  #open(): Promise<Opened> {
    return this.#device.open(this.#experiment, this.#records.snapshots);
  }

  #use(opened: Opened): void {
    const { training } = opened;
    if (this.#ended) {
      training.dispose();
      return;
    }
    training.setTimeline(this.#experiment.timeline);
    this.#training = training;
    this.#lost = null;
    void training.lost.then((error) => {
      if (this.#training !== training) return;
      this.#lost = error;
      if (this.#looping === null) this.#phase('paused', LOST_WORDS);
    });
    this.#device.take(opened);
  }

  #allow(updates: number): void {
    this.#allowed = updates;
    if (this.#training === null || this.#ended || this.#looping !== null) return;
    this.#looping = this.#loop()
      .catch((cause: unknown) => this.#fail(asLabError(cause)))
      .finally(() => {
        this.#looping = null;
        this.#keepAtRest();
        // Something was asked for while the last numbers were still arriving.
        if (this.#goesOn() || this.#canAnswer()) this.#allow(this.#allowed);
      });
  }

  #goesOn(): boolean {
    return this.#allowed > 0 && !this.#isDone();
  }

  /** True if a look can be answered now; not on a lost device, which only resuming opens again. */
  #canAnswer(): boolean {
    return this.#training !== null && this.#lost === null && this.#looks.canAnswer(this.#training);
  }

  #isDone(): boolean {
    return this.#ended || this.#stranded !== null || (this.#training?.finished ?? 0) >= this.#experiment.updates;
  }

  async #loop(): Promise<void> {
    while (this.#training !== null) {
      const training = this.#training;
      try {
        if (this.#lost !== null) throw this.#lost;
        await this.#train(training);
        return;
      } catch (cause) {
        if (await this.#restsFor(cause, training)) return;
        const why = isOutOfMemory(cause) ? cause : await lossBehind(training);
        if (why === null) throw cause;
        if (this.#ended || !(await this.#recover(training, why))) return;
      }
    }
  }

  /** Rests where the world went wrong, with the policies of the last snapshot; false where something else did. */
  async #restsFor(cause: unknown, training: Training): Promise<boolean> {
    if (!(cause instanceof LabError) || !isWorldFault(this.#experiment, cause)) return false;
    const { reporter, snapshots } = this.#records;
    // The device is there: what was computed before still arrives.
    await Promise.allSettled([reporter.flush(), snapshots.settled()]);
    this.#training = null;
    training.dispose();
    this.#strand(cause);
    return true;
  }

  async #train(training: Training): Promise<void> {
    this.#records.reporter.restart();
    await this.#looks.answer(training);
    while (this.#goesOn()) {
      // The device was lost while it answered.
      if (this.#lost !== null) throw this.#lost;
      // It may have been resumed while it answered at rest.
      if (this.#now !== 'running') this.#phase('running', '');
      this.#allowed -= 1;
      const last = this.#allowed === 0 || training.finished + 1 >= this.#experiment.updates;
      this.#updating = this.#update(training, last);
      await this.#updating;
      this.#furthest = Math.max(this.#furthest, training.finished);
      this.#records.updated(training);
      this.#looks.updated(training);
      await this.#looks.answer(training);
      await nextTask();
    }
    await this.#records.reporter.flush();
    if (!this.#ended && !this.#goesOn()) this.#rest(training);
  }

  async #update(training: Training, last: boolean): Promise<void> {
    try {
      const watch = last || this.#records.reporter.wantsEpisodes() ? this.#watch : undefined;
      const result = await training.runUpdate(watch, true);
      this.#records.reporter.add(result, training.members);
    } finally {
      this.#updating = null;
    }
  }

  #rest(training: Training): void {
    const isFinished = training.finished >= this.#experiment.updates;
    this.#phase(
      isFinished ? 'finished' : this.#halted ? 'diverged' : 'paused',
      this.#lost === null || isFinished ? '' : LOST_WORDS,
    );
  }

  /** Opens another training where this one ended; returns whether the run goes on. Throws `why` if nothing can help. */
  async #recover(training: Training, why: LabError): Promise<boolean> {
    this.#training = null;
    training.dispose();
    this.#records.reporter.forget();
    const opened = await this.#device.reopen(this.#experiment, this.#records.snapshots, why);
    if (opened === null) {
      this.#strand(why);
      return false;
    }
    this.#use(opened);
    const again = this.#furthest - opened.training.finished;
    const text = recoveredWords(why, this.#furthest, again);
    this.#post({ type: 'notice', kind: 'recovered', update: opened.training.finished, text });
    // The failed update was subtracted already: a single step still has to make it.
    this.#allowed += again + (this.#allowed === 0 ? 1 : 0);
    return true;
  }

  /** Waits for another device, or, where the world went wrong, for a mended one. */
  #strand(error: LabError, isWorld = isWorldFault(this.#experiment, error)): void {
    if (this.#ended) return;
    this.#stranded = isWorld ? 'world' : 'device';
    this.#allowed = 0;
    const told = isWorld ? worldFault(error) : { text: error.message, advice: STRANDED_ADVICE };
    this.#post({ type: 'stranded', update: this.#furthest, ...told });
    this.#phase('stranded', told.text);
  }

  #fail(error: LabError): void {
    if (this.#ended) return;
    this.#post({ type: 'error', code: error.code, message: error.message, advice: error.advice });
    this.#phase('failed', error.message);
    this.#ended = true;
    this.#allowed = 0;
    this.#training?.dispose();
  }

  #preparing(detail: string): void {
    this.#phase('preparing', detail);
  }

  #phase(phase: Phase, detail: string): void {
    if (this.#ended) return;
    this.#now = phase;
    this.#post({ type: 'phase', phase, update: this.#furthest, updates: this.#experiment.updates, detail });
  }
}
