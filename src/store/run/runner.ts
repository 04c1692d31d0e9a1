/**
 * Runner: starts, pauses and resets runs. A run that failed keeps its curves and its experiment; the next start gets a fresh
 * Worker.
 */

import { namedPolicies, trainedMembers } from '../../experiment/arm/policyFiles';
import type { Change, Experiment } from '../../experiment/experiment';
import { standingHere } from '../../experiment/provenance';
import { Endings } from '../../foundation/endings';
import { withCopiedArm } from '../../rl/measure/warmStartReadings';
import type {
  BackendChoice,
  BackendKind,
  BranchRequest,
  TrainerEnded,
  TrainerEvent,
  WorkerCommand,
} from '../../train/protocol';
import { isLive, type LabState, type LabStore, missingPolicies, NO_RUN, pendingDifferences, untilState } from '../lab';
import { readSaved, writeSaved } from '../saved';
import { backendFor, sideOf } from './backendFor';
import { begunState, type EarlierRun, leftState } from './onScreen';
import { Requests } from './requests';
import { ALONE, type Tabs } from './tabs';
import { TrainerBridge, type TrainerWorker, type WorkerEnd } from './trainerBridge';
import { TrainerEvents } from './trainerEvents';

export class Runner {
  readonly #store: LabStore;
  readonly #bridge: TrainerBridge;
  readonly #backendChoice: () => BackendChoice;
  readonly #seekPolicies: () => Promise<void>;
  readonly #keeps: boolean;
  readonly #tabs: Tabs;
  readonly #events: TrainerEvents;
  readonly requests: Requests;
  readonly #endings = new Endings();
  /** Run of which nothing is kept any more, once that was said. */
  #unkept = '';

  /**
   * `seekPolicies`: looks for files that the experiment on screen names and that are not open yet. `keeps`: this browser keeps
   * the policies. `tabs`: a run trains in one of them.
   */
  constructor(
    store: LabStore,
    startWorker: () => TrainerWorker,
    backendChoice: () => BackendChoice,
    seekPolicies: () => Promise<void> = async () => {},
    keeps = true,
    tabs: Tabs = ALONE,
  ) {
    this.#store = store;
    this.#seekPolicies = seekPolicies;
    this.#keeps = keeps;
    this.#tabs = tabs;
    this.#bridge = new TrainerBridge(startWorker, (event) => this.#receive(event), {
      ended: (end) => this.#replace(end),
    });
    this.#events = new TrainerEvents(store, () => this.#bridge.close());
    this.requests = new Requests(store, (command) => this.#bridge.send(command));
    this.#backendChoice = backendChoice;
    store.subscribe((now, before) => {
      if (isLive(now) !== isLive(before) || (isLive(now) && now.run !== before.run)) void this.#hold(now);
    });
  }

  /** Begins a run of this experiment, on a backend named for this run alone or as the person chose; an earlier run ends. */
  start(experiment: Experiment, trains: boolean, backend?: BackendKind): void {
    const { policyFiles } = this.#store.getState();
    // A run cannot begin without its files.
    if (missingPolicies({ policyFiles }, experiment).length > 0) {
      void this.#startWhenFound(experiment, trains);
      return;
    }
    this.#begin(experiment);
    this.#send(experiment, trains, false, backend);
  }

  /**
   * Goes on with the run on screen from its kept policies, if this browser has them, unless it trains in another tab; one that had
   * ended rests again. With other numerics it does nothing but say so, unless `anyNumerics`.
   */
  async resumeKept(anyNumerics = false): Promise<void> {
    const { run, running, keptUpdate, machines } = this.#store.getState();
    if (running === null || keptUpdate === null) return;
    if (!anyNumerics && standingHere(machines.at(-1)) === 'other') return;
    const isMine = await this.#tabs.take(run);
    // Every tab shows which runs train elsewhere.
    this.#tabs.tell();
    if (!isMine) return;
    if (missingPolicies(this.#store.getState(), running).length > 0) await this.#seekPolicies();
    const state = this.#store.getState();
    // Something else was begun meanwhile, or the page asks for the files.
    if (state.running !== running || missingPolicies(state, running).length > 0) {
      await this.#hold(state);
      return;
    }
    this.#bridge.close();
    this.#events.replaceOnResume(pendingDifferences(state).length === 0);
    const forgotten = { notice: null, failure: null, divergence: null };
    this.#store.setState({ phase: 'preparing', detail: 'reading the kept policies', ...forgotten });
    this.#send(running, true, true);
  }

  /**
   * Goes on with the run on screen with an arm more, a copy of one of its arms until an update: from a state before that which its
   * trainer has, or from the beginning. What it had measured until then stays.
   */
  branch(experiment: Experiment, from: Pick<BranchRequest, 'parent' | 'branch' | 'update'>): void {
    const { history, backend, running, warmStart } = this.#store.getState();
    if (history === null || running === null) return;
    const parent = running.arms.findIndex(({ id }) => id === from.parent);
    const measured = { curves: history.values(), seconds: history.seconds() };
    this.#enter(experiment);
    this.#store.setState({ warmStart: withCopiedArm(warmStart, parent, running.seeds) });
    this.#events.replaceOnResume(true);
    const request = { from: { ...from, ...measured }, backend: backend?.kind ?? this.#backendFor(experiment) };
    this.#bridge.send({ type: 'branch', experiment, trains: true, ...request, ...this.#filesOf(experiment, false) });
    this.requests.repeat();
  }

  #receive(event: TrainerEvent): void {
    this.#events.receive(event);
    this.requests.receive(event);
    if (event.type === 'backend' && event.remember && this.#keeps) writeSaved('races', event.remember);
  }

  #send(experiment: Experiment, trains: boolean, resume: boolean, backend?: BackendKind): void {
    const filed = this.#filesOf(experiment, resume);
    const choice = backend === undefined ? this.#choiceFor(experiment) : { backend };
    this.#bridge.send({ type: 'start', experiment, ...choice, trains, ...filed });
    this.requests.repeat();
  }

  /** Goes on in another Worker where the trainer's ended; false where no run needs one, or where that does not help. */
  #replace({ what, update: updateTold, call }: WorkerEnd): boolean {
    const state = this.#store.getState();
    const { running, phase, backend } = state;
    if (running === null || !(isLive(state) || phase === 'finished')) return false;
    const update = call === null ? Math.max(state.update, updateTold) : updateTold;
    const sequel = this.#endings.add({ update, call });
    if (sequel === 'over') return false;
    this.#events.replaceOnResume(pendingDifferences(state).length === 0);
    this.requests.forsake(what);
    const ended: TrainerEnded = { what, update, restsFor: sequel === 'rest' ? call : null };
    const trains = phase === 'running' || phase === 'preparing';
    const request = { experiment: running, trains, backend: backend?.kind ?? this.#backendFor(running), ended };
    this.#store.setState({ phase: 'preparing', detail: 'replacing the trainer', update: 0, divergence: null });
    this.#bridge.send({ type: 'start', ...request, ...this.#filesOf(running, true) });
    this.requests.repeat();
    return true;
  }

  #backendFor(experiment: Experiment): BackendChoice {
    return backendFor(this.#backendChoice(), experiment, this.#store.getState().sent);
  }

  /** The backend to ask for, and the earlier knowledge of it. */
  #choiceFor(experiment: Experiment): Pick<Extract<WorkerCommand, { type: 'probe' }>, 'backend' | 'known'> {
    const backend = this.#backendFor(experiment);
    const takes = sideOf(experiment, this.#store.getState().sent);
    const remembered = this.#keeps ? readSaved('races') : null;
    const isKnown = this.#backendChoice() === 'auto' && (takes ?? remembered) !== null;
    return { backend, ...(isKnown && { known: { remembered, takes, of: experiment } }) };
  }

  #filesOf(experiment: Experiment, resume: boolean) {
    const { policyFiles, run } = this.#store.getState();
    const files = namedPolicies(experiment).map((hash) => policyFiles[hash] as Blob);
    return { files, keep: this.#keeps ? { run, resume } : null };
  }

  /** Goes back from a divergence to the last healthy state, or lets the run go on. */
  answerDivergence(goesBack: boolean): void {
    this.#store.setState({ divergence: null });
    this.#bridge.send({ type: 'answer-divergence', goesBack });
  }

  /** Has nothing more kept of the run on screen, which was deleted for good, deletes its kept policies, and says so once. */
  unkeep(): void {
    const { run } = this.#store.getState();
    this.#bridge.send({ type: 'unkeep' });
    this.#store.setState({ keptUpdate: null });
    if (run === this.#unkept) return;
    this.#unkept = run;
    const text =
      'The run on screen was deleted from the kept runs, here or in another tab: nothing of it is kept any more.';
    const advice = 'Save what you want of it (Share) before the page is closed, or run it again.';
    this.#store.setState({ notice: { kind: 'happened', text, advice } });
  }

  /** Has the present policies kept: the page may be gone soon. */
  keep(): void {
    if (this.#store.getState().running !== null) this.#bridge.send({ type: 'keep' });
  }

  pause(): void {
    this.#bridge.send({ type: 'pause' });
  }

  resume(): void {
    this.#bridge.send({ type: 'resume' });
  }

  step(): void {
    this.#bridge.send({ type: 'step' });
  }

  change(changes: readonly Omit<Change, 'update'>[]): void {
    this.#bridge.send({ type: 'change', changes });
  }

  /** Pauses, and resolves when the run rests or is over. */
  async rest(): Promise<void> {
    const { phase } = this.#store.getState();
    if (phase !== 'running' && phase !== 'preparing') return;
    this.pause();
    await untilState(this.#store, (now) => now.phase !== 'running' && now.phase !== 'preparing');
  }

  /** Replaces the changes that act from an update on, with those of a timeline. */
  plan(from: number, timeline: readonly Change[]): void {
    this.#events.timeline.replan(from, timeline);
    this.#bridge.send({ type: 'plan', changes: timeline.filter((change) => change.update >= from) });
  }

  extend(updates: number): void {
    this.#bridge.send({ type: 'updates', updates });
  }

  /** Asks which backend a run would use, so the page can show it before one begins. */
  probe(): void {
    const { running, edited } = this.#store.getState();
    if (running !== null) return;
    const members = trainedMembers(edited);
    this.#store.setState({ foundNothing: false });
    this.#bridge.send({ type: 'probe', ...this.#choiceFor(edited), members });
  }

  /** Continues from the last snapshot on another backend, after the device was lost for good. */
  continueOn(backend: BackendChoice): void {
    this.#bridge.send({ type: 'continue', backend });
  }

  /** Continues from the last snapshot in the mended world, after its world went wrong. */
  mendWorld(world: string): void {
    this.#endings.clear();
    this.#bridge.send({ type: 'mend', world });
  }

  /** Shows an earlier run in its last state. */
  restore(run: EarlierRun): void {
    this.reset();
    this.#events.timeline.plan([]);
    this.#store.setState(leftState(run));
    this.#events.clock.tick();
  }

  /** Ends the run and clears its curves; `edited` stays. */
  reset(): void {
    this.#endTrainer();
    this.#store.setState(NO_RUN);
    this.probe();
  }

  /** Starts once all files are found, unless one is absent (the page asks for it) or something was edited meanwhile. */
  async #startWhenFound(experiment: Experiment, trains: boolean): Promise<void> {
    const { edited, phase } = this.#store.getState();
    await this.#seekPolicies();
    const now = this.#store.getState();
    const isAsLeft = now.edited === edited && now.phase === phase;
    if (isAsLeft && missingPolicies(now, experiment).length === 0) this.start(experiment, trains);
  }

  /** Has this tab alone train the run on screen, as long as it can. */
  async #hold(state: LabState): Promise<void> {
    const isMine = await this.#tabs.take(isLive(state) ? state.run : null);
    // The run was over here, and another tab opened it.
    if (!isMine) this.pause();
    this.#tabs.tell();
  }

  #begin(experiment: Experiment): void {
    // A Worker that only answered a probe is as good as new.
    if (this.#store.getState().running !== null) this.#endTrainer();
    this.#enter(experiment);
  }

  /** Ends the trainer at once; one whose run came to its end keeps the last state first. */
  #endTrainer(): void {
    const { phase, history, keptUpdate } = this.#store.getState();
    const isWhole = phase !== 'finished' || (keptUpdate ?? 0) >= (history?.count ?? 0);
    if (isWhole || !this.#keeps) this.#bridge.close();
    else this.#bridge.leave(() => this.#store.setState(({ left }) => ({ left: left + 1 })));
  }

  /** Puts a new run on screen. */
  #enter(experiment: Experiment): void {
    this.#events.timeline.plan(experiment.timeline.filter((change) => change.update > 0));
    this.#endings.clear();
    this.#store.setState(begunState(experiment, this.#store.getState().watched));
  }
}
