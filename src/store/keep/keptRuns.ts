/**
 * Runs kept in this browser: the one on screen, which is written while it trains (runWriter.ts) and when the page is left, and
 * earlier ones, which can be shown again, pinned behind the charts, annotated, tagged, starred, and deleted, which can be taken
 * back for a while. A run's policies go when the run goes. If storage refuses, the page says so and training goes on.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Experiment } from '../../experiment/experiment';
import type { Annotation, KeptRun, RunArchive, WrittenRun } from '../../storage/runs';
import type { KeptStates, SnapshotArchive } from '../../storage/snapshots';
import { isLive, type LabState, type LabStore, pendingDifferences } from '../lab';
import type { RecordedRun } from '../look/contenders';
import { drawId } from '../run/onScreen';
import type { Runner } from '../run/runner';
import { ALONE, type Tabs } from '../run/tabs';
import { ArchiveQueue } from './archiveQueue';
import { eraseOld, markDeleted, nextErasure } from './deletedRuns';
import { KeptPolicies } from './keptPolicies';
import { newestState, type ReadRun, readRun, runToShow, withNewestCount } from './keptRun';
import { type Beside, RunsBeside } from './runsBeside';
import { RunWriter } from './runWriter';

export interface KeptRunsState extends Beside {
  /** True once the list was read. */
  readonly isOpened: boolean;
  /** Kept runs, the newest first. */
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
  readonly #writer: RunWriter;
  readonly #beside: RunsBeside;
  readonly #policies: KeptPolicies;
  readonly #tabs: Tabs;
  /** Run on screen that is waited for: it trains in another tab. */
  #awaited = '';
  #erasure: ReturnType<typeof setTimeout> | undefined;
  readonly #read = (archive: RunArchive, listed: KeptRun): Promise<ReadRun> => {
    const { runs, states } = this.store.getState();
    // The run may have been written since it was asked for.
    const run = runs.find(({ id }) => id === listed.id) ?? listed;
    const { run: id = '' } = run;
    const hasPolicies = states[id] !== undefined;
    return readRun(archive, run, hasPolicies ? (update) => this.#policies.piecesFrom(id, update) : null);
  };

  /**
   * Archives are asked for again where they could not be opened. Without that of `policies` none are kept, which the trainer says.
   */
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
      again: () => this.#writer.write(),
    });
    this.#writer = new RunWriter({
      lab,
      queue: this.#queue,
      spared: () => this.#spared(),
      written: (archive, run, written) => this.#written(archive, run, written),
    });
    this.#beside = new RunsBeside(lab, this.#read, (ids) => this.store.setState(ids));
    this.#policies = new KeptPolicies(policies);
    this.#tabs = tabs;
    tabs.listen(() => void this.#hear());
    lab.subscribe((now, before) => this.#follow(now, before));
    const leave = (): void => {
      this.#writer.write();
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
    let result: ReadRun | null = null;
    await this.#queue.ask(async (archive) => {
      result = await this.#read(archive, run);
    });
    return result;
  }

  /** Adds a run to those laid over one another, and to the comparison; or takes it away. */
  compare(run: KeptRun, isAdded: boolean): Promise<void> {
    return this.#queue.ask((archive) => this.#beside.compare(archive, run, isAdded));
  }

  /** Reads the list, and shows or offers what a visit with the experiment `experiment` finds (`runToShow`). */
  open(experiment: Experiment, isLinked: boolean): Promise<void> {
    return this.#queue.ask(async (archive) => {
      await this.#list(archive);
      if (this.#lab.getState().running !== null) return;
      const { shown, offered } = runToShow({ wanted: experiment, isLinked }, this.store.getState());
      if (shown === null) this.store.setState({ offered });
      else await this.#show(archive, shown);
    });
  }

  /** Goes on with the run that is offered, with whose numerics the offer says. */
  async resumeOffered(): Promise<void> {
    const { offered } = this.store.getState();
    if (offered === null) return;
    this.dismiss();
    await this.show(offered);
    if (this.#lab.getState().run === offered.run) await this.#runner.resumeKept(true);
  }

  /** Takes the offer away; the run stays in the list. */
  dismiss(): void {
    this.store.setState({ offered: null });
  }

  /** Shows a kept run, unless another run is begun while it is read. */
  show(run: KeptRun): Promise<void> {
    this.#writer.write();
    const before = this.#lab.getState();
    return this.#queue.ask((archive) => this.#show(archive, run, before));
  }

  /** Draws a run behind the charts and compares with it; null takes it away. */
  pin(run: KeptRun | null): Promise<void> {
    return this.#queue.ask((archive) => this.#beside.pin(archive, run));
  }

  annotate(id: number, what: Partial<Omit<Annotation, 'deleted'>>): Promise<void> {
    return this.#queue.ask(async (archive) => {
      await archive.annotate(id, what);
      const run = this.store.getState().runs.find((one) => one.id === id)?.run;
      if (run !== undefined && what.starred !== undefined) await this.#policies.star(run, what.starred);
      await this.#changed(archive);
    });
  }

  /** Annotates a run by its own id, once all that waits to be written of it is written. */
  async annotateRun(run: string, what: Partial<Omit<Annotation, 'deleted'>>): Promise<void> {
    await this.#queue.ask(async () => {});
    const kept = this.store.getState().runs.find((one) => one.run === run);
    if (kept !== undefined) await this.annotate(kept.id, what);
  }

  /** Deletes a run. For a while it can be taken back, after a reload too; then it is gone, with its policies. */
  async remove(id: number): Promise<void> {
    if (this.store.getState().pinned === id) await this.pin(null);
    await this.#queue.ask(async (archive) => {
      this.#beside.leaveOut(id);
      const { runs, deleted } = this.store.getState();
      const isGone = await markDeleted(archive, id);
      if (isGone)
        await this.#gone(
          runs.filter((run) => run.id === id),
          deleted,
        );
      await this.#changed(archive);
    });
    // A run that there was no room for may have some now.
    this.#writer.write();
  }

  /** Restores every deleted run that is not erased yet. */
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

  async #written(archive: RunArchive, run: string, { id, dropped }: WrittenRun): Promise<void> {
    const isOnScreen = this.#lab.getState().run === run;
    if (isOnScreen) this.store.setState({ shown: id });
    // Another tab deleted it.
    if (isOnScreen && id === null) this.#runner.unkeep();
    await this.#policies.forget(dropped);
    if (dropped.length > 0) this.store.setState({ dropped: dropped.map((gone) => gone.name).join(', ') });
    await this.#changed(archive);
  }

  #follow(now: LabState, before: LabState): void {
    this.#writer.follow(now, before);
    if (now.run !== before.run) this.store.setState({ shown: this.#writer.idOf(now.run), offered: null });
    if (now.left !== before.left) void this.#queue.ask((archive) => this.#changed(archive));
  }

  /** before: state when it was asked for. */
  async #show(archive: RunArchive, run: KeptRun, before = this.#lab.getState()): Promise<void> {
    const { experiment, history, looks } = await this.#read(archive, run);
    const now = this.#lab.getState();
    // Reading takes a while. A run that was begun meanwhile would end here, before anything of it is kept.
    if (now.run !== before.run || (isLive(now) && !isLive(before))) return;
    const key = run.run ?? drawId();
    const keptUpdate = newestState(this.store.getState().states[key]);
    this.#writer.take(key, { id: run.id, name: run.name, updates: history.count, experiment, looks });
    this.#runner.restore({ run: key, keptUpdate, experiment, history, machines: run.machines, looks });
    this.#await(key);
  }

  async #list(archive: RunArchive): Promise<void> {
    const [everyRun, damaged, kept, elsewhere] = await Promise.all([
      archive.list(),
      archive.damaged(),
      this.#policies.list(),
      this.#tabs.elsewhere(),
    ]);
    const { kept: left, deleted, gone } = await eraseOld(archive, everyRun);
    await this.#gone(gone, deleted);
    const states: KeptRunsState['states'] = Object.fromEntries(kept.map((one) => [one.run, one]));
    const runs = left.map((run) => withNewestCount(run, states[run.run ?? '']));
    // The run on screen is not kept while it is deleted, and is again once that is taken back.
    const shown = runs.find(({ id }) => id === this.#writer.idOf(this.#lab.getState().run))?.id ?? null;
    this.store.setState({ isOpened: true, runs, deleted, damaged, states, elsewhere, shown });
    this.#await(this.#lab.getState().run);
  }

  /** A deleted run takes its policies along; one that can still be taken back is looked at again when that ends. */
  async #gone(gone: readonly KeptRun[], deleted: readonly KeptRun[]): Promise<void> {
    await this.#policies.forget(gone);
    if (gone.some(({ run }) => run !== undefined && run === this.#lab.getState().run)) this.#runner.unkeep();
    clearTimeout(this.#erasure);
    const next = nextErasure(deleted);
    if (next === null) return;
    this.#erasure = setTimeout(() => void this.#queue.ask((archive) => this.#changed(archive)), next);
  }

  /** Reads the list after it was changed, and lets the other tabs do so. */
  async #changed(archive: RunArchive): Promise<void> {
    await this.#list(archive);
    this.#tabs.tell();
  }

  /** Reads the list again: another tab changed kept runs, or began or ended to train one. */
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
    const onScreen = runs.find(({ id }) => id === shown);
    if (state.phase !== 'restored' || onScreen === undefined) return;
    const isSame = onScreen.updates === state.history?.count && newestState(states[state.run]) === state.keptUpdate;
    if (isSame || pendingDifferences(state).length > 0) return;
    await this.#show(archive, onScreen);
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
}
