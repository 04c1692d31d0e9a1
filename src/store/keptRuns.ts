/**
 * Runs kept in this browser. The one on screen is written with its first measurement and its first kept policies, when it is
 * changed, pauses or ends, when another run takes its place, when the page is left, and every 20 s in between. Its policies are
 * kept by the trainer (train/run/keeper.ts), and go when the run goes. Earlier runs can be shown again, pinned behind the charts,
 * annotated, tagged, starred, and deleted, which can be taken back for a while. If storage refuses, the page says so and training
 * goes on.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Experiment } from '../experiment/experiment';
import { checkExperiment } from '../experiment/parse';
import { METRICS } from '../rl/metrics';
import type { Annotation, KeptRun, RunArchive } from '../storage/runs';
import type { KeptStates, SnapshotArchive } from '../storage/snapshots';
import { ArchiveQueue } from './archiveQueue';
import type { RecordedRun } from './contenders';
import { nextSweep, sweep } from './deletedRuns';
import { areSame, beganAs, isUnfinished, newestState, type ReadRun, readRun } from './keptRun';
import { type LabState, type LabStore, pendingDifferences } from './lab';
import type { Looks } from './looks';
import { outcomeOf } from './outcomes';
import { runName } from './runName';
import { drawId, type Runner } from './runner';
import { type Beside, RunsBeside } from './runsBeside';
import { ALONE, type Tabs } from './tabs';

/** Milliseconds between two writes of a run under way. */
const WRITE_EVERY = 20_000;
const RESTING: readonly LabState['phase'][] = ['paused', 'diverged', 'finished', 'failed', 'stranded'];

export interface KeptRunsState extends Beside {
  /** True once the list was read. */
  readonly isOpened: boolean;
  /** Newest first. */
  readonly runs: readonly KeptRun[];
  /** Deleted a moment ago: they can be taken back. */
  readonly deleted: readonly KeptRun[];
  /** Refusal of the storage, with advice; null if there is none. */
  readonly problem: string | null;
  /** Names of runs that were deleted to make room. */
  readonly dropped: string;
  /** Number of records that cannot be read. */
  readonly damaged: number;
  /** Kept policies, by the run's id. */
  readonly states: Readonly<Record<string, KeptStates>>;
  /** Run that did not come to its end, for the person to go on with; null if there is none. */
  readonly offered: KeptRun | null;
  /** Runs that train in other tabs. */
  readonly elsewhere: ReadonlySet<string>;
  /** Id of the run on screen; null until it is kept. */
  readonly shown: number | null;
}

export class KeptRuns {
  readonly store: StoreApi<KeptRunsState> = createStore<KeptRunsState>(() => ({
    isOpened: false,
    runs: [],
    deleted: [],
    problem: null,
    dropped: '',
    damaged: 0,
    states: {},
    offered: null,
    elsewhere: new Set(),
    shown: null,
    pinned: null,
    compared: [],
  }));
  readonly #lab: LabStore;
  readonly #runner: Runner;
  readonly #queue: ArchiveQueue;
  readonly #beside: RunsBeside;
  /** Archive of the runs' policies; null if none are kept. */
  readonly #policies: (() => Promise<SnapshotArchive>) | null;
  readonly #tabs: Tabs;
  /** Run on screen that is waited for: it trains in another tab. */
  #awaited = '';
  #lastWrite = 0;
  /** Run that was written last, or is to be. */
  #lastWritten = '';
  /** Archive entry of each run that was on screen, by the run's id. */
  readonly #places = new Map<string, Place>();
  #parent: Experiment | null = null;
  #sweep: ReturnType<typeof setTimeout> | undefined;

  /** Archives are asked for again where they could not be opened. Without that of `policies` none are kept, which the trainer says. */
  constructor(
    lab: LabStore,
    runner: Runner,
    archive: (() => Promise<RunArchive>) | null,
    policies: (() => Promise<SnapshotArchive>) | null = null,
    tabs: Tabs = ALONE,
  ) {
    this.#lab = lab;
    this.#runner = runner;
    this.#queue = new ArchiveQueue({
      archive,
      told: (problem) => this.store.setState({ problem }),
      again: () => this.write(),
    });
    this.#beside = new RunsBeside(lab, (ids) => this.store.setState(ids));
    this.#policies = policies;
    this.#tabs = tabs;
    tabs.listen(() => void this.#hear());
    lab.subscribe((now, before) => this.#follow(now, before));
    const leave = (): void => {
      this.write();
      runner.keep();
    };
    globalThis.document?.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') leave();
    });
    globalThis.addEventListener?.('pagehide', leave);
  }

  /** Runs compared with the one on screen, the pinned one first. */
  besides(): readonly RecordedRun[] {
    return this.#beside.list(this.store.getState().shown);
  }

  /** Runs laid over one another, in the order in which they were chosen. */
  overlaid(): readonly RecordedRun[] {
    return this.#beside.compared;
  }

  /** A run with its curves, for a file; null where it cannot be read, and `problem` says why. */
  async read(run: KeptRun): Promise<ReadRun | null> {
    let found: ReadRun | null = null;
    await this.#queue.ask(async (archive) => {
      found = await readRun(archive, run);
    });
    return found;
  }

  /** Adds a run to those laid over one another, and to the comparison; or takes it away. */
  compare(run: KeptRun, wanted: boolean): Promise<void> {
    return this.#queue.ask((archive) => this.#beside.compare(archive, run, wanted));
  }

  /**
   * Reads the list. If the newest run is of the experiment `wanted`, it is shown as it was left, unless the experiment came with
   * a link (`isLinked`). Otherwise a run that these settings began, and that did not come to its end, is offered; without a link
   * the newest run too, since a browser that is killed loses the settings of the last seconds.
   */
  open(wanted: Experiment, isLinked: boolean): Promise<void> {
    return this.#queue.ask(async (archive) => {
      await this.#list(archive);
      const { runs, states } = this.store.getState();
      const [newest] = runs;
      if (newest === undefined || this.#lab.getState().running !== null) return;
      const { experiment } = checkExperiment(newest.experiment);
      if (!isLinked && JSON.stringify(experiment) === JSON.stringify(wanted)) return this.#show(archive, newest);
      const { elsewhere } = this.store.getState();
      const isCutOff = ({ run = '' }: KeptRun): boolean => isUnfinished(states[run]) && !elsewhere.has(run);
      const offered =
        runs.find((run) => isCutOff(run) && (beganAs(run, wanted) || (!isLinked && run === newest))) ?? null;
      this.store.setState({ offered });
    });
  }

  /** Goes on with the run that is offered. */
  async resumeOffered(): Promise<void> {
    const { offered } = this.store.getState();
    if (offered === null) return;
    this.dismiss();
    await this.show(offered);
    await this.#runner.resumeKept();
  }

  /** Takes the offer away; the run stays in the list. */
  dismiss(): void {
    this.store.setState({ offered: null });
  }

  show(run: KeptRun): Promise<void> {
    this.write();
    return this.#queue.ask((archive) => this.#show(archive, run));
  }

  /** Draws a run behind the charts and compares with it; null takes it away. */
  pin(run: KeptRun | null): Promise<void> {
    return this.#queue.ask((archive) => this.#beside.pin(archive, run));
  }

  annotate(id: number, what: Partial<Omit<Annotation, 'deleted'>>): Promise<void> {
    return this.#queue.ask(async (archive) => {
      await archive.annotate(id, what);
      const run = this.store.getState().runs.find((one) => one.id === id)?.run;
      const policies = what.starred === undefined ? null : await this.#policies?.().catch(() => null);
      if (run !== undefined) await policies?.star(run, what.starred === true);
      await this.#changed(archive);
    });
  }

  /** Deletes a run. For a while it can be taken back, after a reload too; then it is gone, with its policies. */
  async remove(id: number): Promise<void> {
    if (this.store.getState().pinned === id) await this.pin(null);
    await this.#queue.ask(async (archive) => {
      this.#beside.leaveOut(id);
      await archive.annotate(id, { deleted: Date.now() });
      await this.#changed(archive);
    });
  }

  /** Takes back every deletion that can be. */
  undelete(): Promise<void> {
    return this.#queue.ask(async (archive) => {
      for (const { id } of this.store.getState().deleted) await archive.annotate(id, { deleted: null });
      await this.#changed(archive);
    });
  }

  /** Deletes the records that cannot be read. */
  removeDamaged(): Promise<void> {
    return this.#queue.ask(async (archive) => {
      await archive.removeDamaged();
      await this.#changed(archive);
    });
  }

  /** Writes the run on screen as far as it has come. */
  write(state: LabState = this.#lab.getState()): void {
    const { run: key, running: experiment, history, backend, machines, probed, dreamPoints } = state;
    if (experiment === null || history === null || history.count === 0) return;
    const looks = { probed, dreamPoints };
    const kept = this.#places.get(key);
    const isWritten = kept?.updates === history.count && kept.experiment === experiment && areSame(kept.looks, looks);
    if (kept?.id === null || isWritten) return;
    this.#lastWrite = performance.now();
    this.#lastWritten = key;
    const parent = this.#parent;
    const curves = { metrics: METRICS, values: history.values(), seconds: history.seconds(), looks };
    const updates = history.count;
    const success = experiment.arms.map((_, arm) => outcomeOf(history, arm).success.mean);
    void this.#queue.ask(async (archive) => {
      const place = this.#places.get(key);
      if (place?.id === null) return;
      const name = place?.name ?? runName(parent, experiment);
      const run = { id: place?.id ?? null, run: key, date: Date.now(), experiment, name, updates, machines };
      const device = backend?.description ?? '';
      const said = { note: '', starred: false, tags: [], deleted: null };
      const { id, dropped } = await archive.put({ ...run, ...said, device, success }, curves, this.#spared());
      this.#places.set(key, { id, name, updates, experiment, looks });
      if (this.#lab.getState().run === key) this.store.setState({ shown: id });
      // Another tab deleted it.
      if (id === null && this.#lab.getState().run === key) this.#runner.unkeep();
      await this.#forget(dropped);
      if (dropped.length > 0) this.store.setState({ dropped: dropped.map((gone) => gone.name).join(', ') });
      await this.#changed(archive);
    }, true);
  }

  #follow(now: LabState, before: LabState): void {
    if (now.run !== before.run) {
      this.write(before);
      this.#lastWrite = performance.now();
      if (before.running !== null) this.#parent = before.running;
      this.store.setState({ shown: this.#places.get(now.run)?.id ?? null, offered: null });
    } else if (now.running?.timeline !== before.running?.timeline) this.write(now);
    else if (now.keptUpdate !== null && before.keptUpdate === null) this.write(now);
    else if (RESTING.includes(now.phase) && (now.phase !== before.phase || !areSame(now, before))) this.write(now);
    else if (now.tick === before.tick) return;
    // At once what is new: policies that are kept of a run that is in no list could not be gone on with.
    else if (this.#lastWritten !== now.run || performance.now() - this.#lastWrite > WRITE_EVERY) this.write(now);
  }

  async #show(archive: RunArchive, run: KeptRun): Promise<void> {
    const { experiment, history, looks } = await readRun(archive, run);
    const key = run.run ?? drawId();
    const keptUpdate = newestState(this.store.getState().states[key]);
    this.#places.set(key, { id: run.id, name: run.name, updates: history.count, experiment, looks });
    this.#runner.restore({ run: key, keptUpdate, experiment, history, machines: run.machines, looks });
    this.#await(key);
  }

  async #list(archive: RunArchive): Promise<void> {
    const [all, damaged, kept, elsewhere] = await Promise.all([
      archive.list(),
      archive.damaged(),
      this.#keptStates(),
      this.#tabs.elsewhere(),
    ]);
    const { kept: runs, deleted, gone } = await sweep(archive, all);
    await this.#gone(gone, deleted);
    const states = Object.fromEntries(kept.map((one) => [one.run, one]));
    const shown = runs.find(({ id }) => id === this.store.getState().shown)?.id ?? null;
    this.store.setState({ isOpened: true, runs, deleted, damaged, states, elsewhere, shown });
    this.#await(this.#lab.getState().run);
  }

  /** A deleted run takes its policies along; one that can still be taken back is looked at again when that ends. */
  async #gone(gone: readonly KeptRun[], deleted: readonly KeptRun[]): Promise<void> {
    await this.#forget(gone);
    if (gone.some(({ run }) => run !== undefined && run === this.#lab.getState().run)) this.#runner.unkeep();
    clearTimeout(this.#sweep);
    const next = nextSweep(deleted);
    if (next === null) return;
    this.#sweep = setTimeout(() => void this.#queue.ask((archive) => this.#changed(archive)), next);
  }

  /** States kept of the runs; nothing where it cannot be read, which the trainer says when it keeps them. */
  async #keptStates(): Promise<readonly KeptStates[]> {
    try {
      return (await (await this.#policies?.())?.list()) ?? [];
    } catch {
      return [];
    }
  }

  /** Reads the list after it was changed, and lets the other tabs do so. */
  async #changed(archive: RunArchive): Promise<void> {
    await this.#list(archive);
    this.#tabs.tell();
  }

  /** Another tab changed kept runs, or began or ended to train one. */
  #hear(): Promise<void> {
    return this.#queue.ask(async (archive) => {
      await this.#list(archive);
      await this.#catchUp(archive);
    });
  }

  /** Shows what another tab has trained of the run on screen, unless something was edited here. */
  async #catchUp(archive: RunArchive): Promise<void> {
    const state = this.#lab.getState();
    const { runs, shown, states } = this.store.getState();
    const kept = runs.find(({ id }) => id === shown);
    if (state.phase !== 'restored' || kept === undefined) return;
    const isSame = kept.updates === state.history?.count && newestState(states[state.run]) === state.keptUpdate;
    if (isSame || pendingDifferences(state).length > 0) return;
    await this.#show(archive, kept);
    if (state.notice === null) this.#lab.setState({ notice: null });
  }

  /** Looks again once no other tab trains the run, also where its tab crashed. */
  #await(run: string): void {
    if (this.#awaited === run || !this.store.getState().elsewhere.has(run)) return;
    this.#awaited = run;
    const look = async (): Promise<void> => {
      await this.#tabs.untilFree(run);
      if (this.#awaited === run) this.#awaited = '';
      await this.#hear();
    };
    void look();
  }

  /** Ids of runs that train in other tabs: they do not go for room. */
  #spared(): ReadonlySet<number> {
    const { runs, elsewhere } = this.store.getState();
    return new Set(runs.filter(({ run }) => run !== undefined && elsewhere.has(run)).map(({ id }) => id));
  }

  /** Deletes the policies of runs that are gone. */
  async #forget(runs: readonly KeptRun[]): Promise<void> {
    const policies = await this.#policies?.().catch(() => null);
    for (const { run } of runs) if (run !== undefined) await policies?.remove(run);
  }
}

interface Place {
  /** null once it has been deleted: it is not written again. */
  readonly id: number | null;
  readonly name: string;
  readonly updates: number;
  readonly experiment: Experiment;
  readonly looks: Looks;
}
