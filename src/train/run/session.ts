/**
 * One run as the page steers it: prepared, resumed, paused, changed, looked at. Its loop is loop.ts, its ways on after trouble are
 * waysOn.ts. The numbers depend on nothing here but the experiment and its timeline.
 */
import type { Change, Experiment } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { parseExperiment } from '../../experiment/parse';
import { asLabError, LabError } from '../../foundation/errors';
import type { Watch } from '../looks/episodes';
import { Looks } from '../looks/looks';
import type { DreamRequest, InspectionChoice, ProbeWatch } from '../looks/shown';
import type { SteeredRun } from '../looks/steer';
import type { PoolChoice } from '../pool/port';
import type { FilePolicies, Training } from '../population/training';
import type { BackendChoice, Foreknown, PolicyRequest, TrainerEnded } from '../protocol';
import type { HandedOver } from './branch';
import { Changes } from './changes';
import { RunDevice } from './choose/device';
import type { Divergence } from './divergence';
import type { MemberFile } from './keep/exportMember';
import type { Keeping, RunNow } from './keep/keeper';
import { isPastOf, type KeptRunState } from './keep/keptStates';
import { isWorldFault, threadsEnded } from './keep/mend';
import { isPassing, LOST_WORDS, replacedWords } from './keep/recovery';
import { WaysOn } from './keep/waysOn';
import { Loop } from './loop';
import { Records } from './records';
import type { Post } from './reporter';
import { Status } from './status';

async function noPolicies(): Promise<FilePolicies> {
  return new Map();
}

export interface SessionOptions {
  /** Policies of the files that the experiment names. */
  readonly policies?: () => Promise<FilePolicies>;
  /** Store of the run's states; null if none. `resume`: the run goes on from the newest of them. */
  readonly keeping?: (Keeping & { readonly resume: boolean }) | null;
  /** State to begin from instead, that another run came to; null for none. */
  readonly begun?: () => Promise<KeptRunState | null>;
  /** End of the trainer that this one replaces; null where it replaces none. */
  readonly ended?: TrainerEnded | null;
  /** Earlier knowledge that decides between GPU and CPU without a race. */
  readonly known?: Foreknown | undefined;
  /** Workers of the CPU backend for so many members, where they are not the browser's. */
  readonly pool?: (members: number) => PoolChoice;
}

export class Session {
  readonly #post: Post;
  readonly #begun: () => Promise<KeptRunState | null>;
  readonly #ended: TrainerEnded | null;
  readonly #status: Status;
  readonly #records: Records;
  readonly #device: RunDevice;
  readonly #looks: Looks;
  readonly #loop: Loop;
  /** Ways on after trouble. */
  readonly waysOn: WaysOn;
  readonly #changes: Changes;

  constructor(experiment: Experiment, choice: BackendChoice, post: Post, options: SessionOptions = {}) {
    const { policies = noPolicies, keeping = null, begun = async () => null, ended = null } = options;
    const status = new Status(experiment, post);
    const device = new RunDevice(choice, {
      post,
      policies,
      pool: options.pool,
      known: options.known,
      detail: (text) => status.preparing(text),
      watch: () => this.#loop.watch,
      unwanted: () => status.isEnded,
      lost: () => {
        if (!this.#loop.isRunning) status.tell('paused', LOST_WORDS);
      },
    });
    // A branch is of a run that has a backend, and a trainer that ended had chosen one.
    if (options.begun !== undefined || (ended !== null && !choice.startsWith('auto'))) device.keepTo(choice);
    const looks = new Looks({ post, isDone: () => status.isDone(device.training?.finished ?? 0) });
    const records = new Records({
      post,
      experiment: () => status.experiment,
      now: () => this.#now(),
      keeping,
      restAgain: () => this.#loop.keepAtRest(),
      diverged: (divergence) => this.#reportDivergence(divergence),
    });
    this.#post = post;
    this.#begun = begun;
    this.#ended = ended;
    this.#status = status;
    this.#device = device;
    this.#looks = looks;
    this.#records = records;
    this.#loop = new Loop({ post, status, device, records, looks });
    this.waysOn = new WaysOn({ post, status, device, records, loop: this.#loop });
    this.#changes = new Changes({ post, status, device, loop: this.#loop });
  }

  /** Acquires the backend, allocates, compiles; then runs if asked. A failure is reported, not thrown. */
  async prepare(trains: boolean): Promise<void> {
    if (trains) this.resume();
    const status = this.#status;
    try {
      await this.#takeUp();
      if (this.#ended !== null && this.#ended.restsFor !== null) {
        status.strand(threadsEnded(status.experiment, { ...this.#ended, call: this.#ended.restsFor }));
        return;
      }
      status.preparing('looking for the GPU');
      this.waysOn.take(await this.waysOn.open());
      // The person may have asked for a step or a pause while this prepared.
      if (this.#loop.allowed > 0) this.#loop.allow(this.#loop.allowed);
      else if (status.furthest > 0) this.#rest();
      else status.tell('ready');
    } catch (cause) {
      const error = asLabError(cause);
      // The kept state waits for a device of its kind, for the person to choose another, or for a mended world.
      const waits = isPassing(error) || isWorldFault(status.experiment, error);
      if (this.#records.snapshots.latest !== null && waits) status.strand(error);
      else this.#loop.fail(error);
    }
  }

  /** Takes up the kept run that this one is, or the run that it branches from. */
  async #takeUp(): Promise<void> {
    this.#status.preparing('reading the policies');
    if (this.#ended !== null) return this.#replace(this.#ended);
    const begun = await this.#begun();
    const state = begun ?? (await this.#records.read());
    if (state === null) return;
    this.#status.experiment = state.checked;
    this.#status.furthest = state.snapshot.update;
    this.#device.goOn(state);
    this.#records.takeUp(state, begun === null);
  }

  /**
   * Takes up the run of a trainer that ended, in the page's version: from the newest kept state that is of it, or from
   * the beginning.
   */
  async #replace(ended: TrainerEnded): Promise<void> {
    const { experiment } = this.#status;
    // Updates of a state that cannot be read are computed again.
    const read = await this.#records.read().catch(() => null);
    const state = read !== null && isPastOf(experiment, read) ? { ...read, checked: experiment } : null;
    this.#status.furthest = state?.snapshot.update ?? 0;
    if (state === null) this.#records.beginAgain();
    else {
      this.#device.goOn(state);
      this.#records.takeUp(state, true);
    }
    const { furthest } = this.#status;
    this.#post({ type: 'notice', kind: 'recovered', update: furthest, text: replacedWords(ended, furthest) });
  }

  /**
   * Ends the run after the update in flight, and hands over the newest state at hand that is not after `update`; null without a
   * device.
   */
  async handOver(update: number): Promise<HandedOver | null> {
    this.#loop.stop();
    await this.#loop.untilSettled();
    const { training, lost, backend, machines } = this.#device;
    const isThere = training !== null && lost === null && training.finished <= update;
    const present = isThere ? await training.snapshot().catch(() => null) : null;
    const snapshot = present ?? (await this.#records.snapshots.until(update));
    await this.#records.untilKept();
    await this.dispose();
    return backend === null ? null : { backend, machines, snapshot };
  }

  #rest(): void {
    const { training, lost } = this.#device;
    if (training !== null) this.#status.rest(training.finished, lost !== null);
  }

  /** Keeps the state soon, if the browser can. */
  keep(): void {
    this.#records.hurry();
    this.#loop.keepAtRest();
  }

  /** Keeps nothing of the run from now on. */
  unkeep(): void {
    this.#records.unkeep();
  }

  /** Updates finished. */
  get finished(): number {
    return this.#device.training?.finished ?? this.#status.furthest;
  }

  /** Description of the run for a kept state; null once nobody wants it. */
  #now(): RunNow | null {
    const { backend, machines } = this.#device;
    const { experiment, isEnded } = this.#status;
    return backend === null || isEnded ? null : { experiment, backend, machines };
  }

  resume(): void {
    this.#loop.resume();
  }

  step(): void {
    this.#loop.allow(1);
  }

  pause(): void {
    this.#loop.stop();
    if (this.#loop.isRunning) this.#status.tell('running', 'pausing after this update');
  }

  /** Reports a divergence. A run in which nothing trains any more pauses. */
  #reportDivergence({ members, isAll, to, changes }: Divergence): void {
    const faults = members.map(({ member, update, cause }) => ({ arm: member.arm, seed: member.seed, update, cause }));
    this.#post({ type: 'diverged', members: faults, isAll, to, changes });
    if (!isAll) return;
    this.#status.isHalted = true;
    this.#loop.stop();
  }

  /** Applies live changes. Throws LabError when one is not valid; training then goes on without them. */
  change(changes: readonly Omit<Change, 'update'>[]): void {
    this.#changes.make(changes);
    this.keep();
  }

  /** Replaces the changes still to act. Throws LabError when one is not valid. */
  plan(changes: readonly Change[]): void {
    this.#changes.plan(changes);
    this.keep();
  }

  /** Changes the number of updates. Throws LabError when it is not valid. */
  extend(updates: number): void {
    const status = this.#status;
    if (status.isEnded) return;
    status.experiment = parseExperiment({ ...status.experiment, updates });
    if (status.phase === 'paused' || status.phase === 'finished' || status.phase === 'diverged') this.#rest();
    this.keep();
  }

  watch(watch: Watch): void {
    this.#loop.watch = watch;
    this.#records.reporter.episodesWanted();
  }

  /** Asks for a trajectory's tokens; answered between two updates, at once when none is under way. */
  inspect(choice: InspectionChoice): void {
    this.#looks.inspect(choice);
    this.#loop.look();
  }

  /** Asks for probes now and after every `watch.every` updates; null ends them. */
  watchProbes(watch: ProbeWatch | null): void {
    this.#looks.watchProbes(watch);
    this.#loop.look();
  }

  /** Asks for dreams: after the update being computed, or now; not while the device is lost. */
  dream(request: DreamRequest): void {
    this.#looks.dream(request);
    this.#loop.look();
  }

  /** A member's policy after the update in flight, as a file; training goes on meanwhile. Throws LabError. */
  async exportPolicy(request: PolicyRequest): Promise<MemberFile> {
    const { exportMember } = await import('./keep/exportMember');
    const { training, machines } = await this.#betweenUpdates();
    const { experiment } = training;
    const [snapshot, metrics] = await Promise.all([training.snapshot(), this.#records.reporter.recentMetrics()]);
    return exportMember({ snapshot, experiment, machines }, request, metrics);
  }

  /** The run after the update in flight, with all its policies; training goes on meanwhile. Throws LabError. */
  async present(): Promise<SteeredRun> {
    const { training, machines } = await this.#betweenUpdates();
    const { experiment } = training;
    return { snapshot: await training.snapshot(), experiment, machines };
  }

  async #betweenUpdates(): Promise<{ training: Training; machines: readonly MachineEntry[] }> {
    await this.#loop.untilUpdated();
    const { training, lost, machines } = this.#device;
    if (training !== null && lost === null && !this.#status.isEnded) return { training, machines };
    const what = 'The run has no policies at the moment: it is being prepared, or its device is gone.';
    throw new LabError('invalid-policy', what, 'Try again when it trains or has paused.');
  }

  /** Ends a run that is over, once its last state is kept or was refused. */
  async leave(): Promise<void> {
    await this.#loop.untilSettled();
    await this.#records.untilKept();
    await this.dispose();
  }

  /** Stops after the update in flight and frees the device. */
  async dispose(): Promise<void> {
    this.#status.end();
    this.#looks.close();
    await this.#loop.untilSettled();
    this.#device.release();
  }
}
