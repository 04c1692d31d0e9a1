/**
 * The runs this browser remembers: the one on screen is written when it pauses or ends, when it gives way to another, when
 * the page is left, and now and then in between; earlier ones can be shown again, pinned behind the charts, noted, starred and
 * deleted. What storage refuses is said, and training goes on.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Experiment } from '../experiment/experiment';
import { checkExperiment } from '../experiment/parse';
import { asLabError, LabError } from '../foundation/errors';
import { inPresentOrder, METRICS } from '../rl/metrics';
import type { KeptRun, RunArchive } from '../storage/runs';
import type { RecordedRun } from './contenders';
import { Curves } from './curves';
import { MetricHistory } from './history';
import type { LabState, LabStore } from './lab';
import { type Looks, readLooks } from './looks';
import { outcomes } from './outcomes';
import { runName } from './runName';
import type { Runner } from './runner';
import { inSlices, nextTask } from './slices';

/** Milliseconds between two writes of a run under way. */
const WRITE_EVERY = 20_000;
const RESTING: readonly LabState['phase'][] = ['paused', 'finished', 'failed', 'stranded'];

export interface KeptRunsState {
  /** Newest first. */
  readonly runs: readonly KeptRun[];
  /** What storage refused, and what to do; null when all is well. */
  readonly problem: string | null;
  /** Runs that had to make room. */
  readonly dropped: string;
  /** The run on screen, once it is kept. */
  readonly shown: number | null;
  readonly pinned: number | null;
  /** Compared with the run on screen, besides the pinned one. */
  readonly compared: readonly number[];
}

export class KeptRuns {
  readonly store: StoreApi<KeptRunsState> = createStore<KeptRunsState>(() => ({
    runs: [],
    problem: null,
    dropped: '',
    shown: null,
    pinned: null,
    compared: [],
  }));
  readonly #lab: LabStore;
  readonly #runner: Runner;
  /** Null: nothing is kept. */
  readonly #archive: Promise<RunArchive> | null;
  /** Everything asked of the archive, in order. */
  #last: Promise<unknown> = Promise.resolve();
  #lastWrite = 0;
  /** Where each run on screen so far is kept, and how much of it. */
  readonly #places = new WeakMap<MetricHistory, Place>();
  #parent: Experiment | null = null;
  #pinnedRun: RecordedRun | null = null;
  #comparedRuns: readonly RecordedRun[] = [];

  constructor(lab: LabStore, runner: Runner, archive: Promise<RunArchive> | null) {
    this.#lab = lab;
    this.#runner = runner;
    this.#archive = archive;
    // Said when it is first awaited below.
    archive?.catch(() => {});
    lab.subscribe((now, before) => this.#follow(now, before));
    globalThis.document?.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.write();
    });
  }

  /** Runs that the one on screen is compared with: the pinned one first. */
  besides(): readonly RecordedRun[] {
    const { shown } = this.store.getState();
    const pinned = this.#pinnedRun === null ? [] : [this.#pinnedRun];
    const others = this.#comparedRuns.filter(({ id }) => id !== this.#pinnedRun?.id && id !== shown);
    return [...pinned, ...others];
  }

  /** Takes a run into the comparison, or out of it. */
  compare(run: KeptRun, wanted: boolean): Promise<void> {
    return this.#ask(async (archive) => {
      const others = this.#comparedRuns.filter(({ id }) => id !== run.id);
      this.#comparedRuns = wanted ? [...others, await recorded(archive, run)] : others;
      this.store.setState({ compared: this.#comparedRuns.map(({ id }) => id) });
    });
  }

  /** Reads the list; if the newest run is `wanted`, the page shows it as it was left. */
  open(wanted: Experiment | null): Promise<void> {
    return this.#ask(async (archive) => {
      const runs = await archive.list();
      this.store.setState({ runs });
      const [newest] = runs;
      const { running } = this.#lab.getState();
      if (newest === undefined || wanted === null || running !== null) return;
      const { experiment } = checkExperiment(newest.experiment);
      if (JSON.stringify(experiment) === JSON.stringify(wanted)) await this.#show(archive, newest);
    });
  }

  show(run: KeptRun): Promise<void> {
    this.write();
    return this.#ask((archive) => this.#show(archive, run));
  }

  /** Draws a run behind the charts and compares with it; null takes it away. */
  pin(run: KeptRun | null): Promise<void> {
    return this.#ask(async (archive) => {
      this.#pinnedRun = run === null ? null : await recorded(archive, run);
      const pinned = this.#pinnedRun;
      this.store.setState({ pinned: run?.id ?? null });
      const ghost =
        pinned === null
          ? (this.#lab.getState().sent?.ghost ?? null)
          : {
              label: pinned.label,
              arms: pinned.experiment.arms,
              curves: new Curves(pinned.history, pinned.experiment),
            };
      this.#lab.setState({ ghost });
    });
  }

  annotate(id: number, what: Partial<Pick<KeptRun, 'name' | 'note' | 'starred'>>): Promise<void> {
    return this.#ask(async (archive) => {
      await archive.annotate(id, what);
      await this.#list(archive);
    });
  }

  async remove(id: number): Promise<void> {
    if (this.store.getState().pinned === id) await this.pin(null);
    await this.#ask(async (archive) => {
      this.#comparedRuns = this.#comparedRuns.filter((run) => run.id !== id);
      this.store.setState({ compared: this.#comparedRuns.map((run) => run.id) });
      await archive.remove(id);
      await this.#list(archive);
    });
  }

  /** Keeps the run on screen as far as it has come. */
  write(state: LabState = this.#lab.getState()): void {
    const { running: experiment, history, backend, machines, probed, dreamPoints } = state;
    if (experiment === null || history === null || history.count === 0) return;
    const looks = { probed, dreamPoints };
    const kept = this.#places.get(history);
    if (kept?.updates === history.count && areSame(kept.looks, looks)) return;
    this.#lastWrite = Date.now();
    const parent = this.#parent;
    const curves = { metrics: METRICS, values: history.values(), seconds: history.seconds(), looks };
    const updates = history.count;
    void this.#ask(async (archive) => {
      const place = this.#places.get(history);
      const name = place?.name ?? runName(parent, experiment);
      const run = { id: place?.id ?? null, date: Date.now(), experiment, name, updates, machines };
      const device = backend?.description ?? '';
      const { id, dropped } = await archive.put({ ...run, device, note: '', starred: false }, curves);
      this.#places.set(history, { id, name, updates, looks });
      if (this.#lab.getState().history === history) this.store.setState({ shown: id });
      if (dropped.length > 0) this.store.setState({ dropped: dropped.map((gone) => gone.name).join(', ') });
      await this.#list(archive);
    });
  }

  #follow(now: LabState, before: LabState): void {
    if (now.history !== before.history) {
      this.write(before);
      this.#lastWrite = Date.now();
      if (before.running !== null) this.#parent = before.running;
      this.store.setState({ shown: now.history === null ? null : (this.#places.get(now.history)?.id ?? null) });
    } else if (RESTING.includes(now.phase) && (now.phase !== before.phase || !areSame(now, before))) this.write(now);
    else if (now.tick !== before.tick && Date.now() - this.#lastWrite > WRITE_EVERY) this.write(now);
  }

  async #show(archive: RunArchive, run: KeptRun): Promise<void> {
    const { experiment, history, looks } = await read(archive, run);
    this.#places.set(history, { id: run.id, name: run.name, updates: history.count, looks });
    this.#runner.restore(experiment, history, run.machines, looks);
  }

  async #list(archive: RunArchive): Promise<void> {
    this.store.setState({ runs: await archive.list() });
  }

  /** One thing after the other; a refusal is said, and the next may succeed. */
  #ask(work: (archive: RunArchive) => Promise<void>): Promise<void> {
    const archive = this.#archive;
    if (archive === null) return Promise.resolve();
    const done = this.#last.then(async () => {
      try {
        await work(await archive);
        this.store.setState({ problem: null });
      } catch (cause) {
        this.store.setState({ problem: asLabError(cause).message });
      }
    });
    this.#last = done;
    return done;
  }
}

interface Place {
  readonly id: number;
  readonly name: string;
  readonly updates: number;
  readonly looks: Looks;
}

/** Whoever looks again makes new arrays. */
function areSame(a: Looks, b: Looks): boolean {
  return a.probed === b.probed && a.dreamPoints === b.dreamPoints;
}

async function recorded(archive: RunArchive, run: KeptRun): Promise<RecordedRun> {
  const { experiment, history } = await read(archive, run);
  return { experiment, history, id: run.id, label: run.name };
}

interface ReadRun {
  readonly experiment: Experiment;
  readonly history: MetricHistory;
  readonly looks: Looks;
}

/** In tasks apart: the browser takes as long to hand over a long run as the page takes to draw it. */
async function read(archive: RunArchive, run: KeptRun): Promise<ReadRun> {
  const { experiment } = checkExperiment(run.experiment);
  const curves = await archive.curves(run.id);
  await nextTask();
  const rows = (experiment?.arms.length ?? 0) * (experiment?.seeds ?? 0) * run.updates;
  if (experiment === null || curves === null || curves.values.length !== rows * curves.metrics.length) {
    const advice = 'Delete it, or run it again from its link.';
    throw new LabError('storage', `“${run.name}” was kept by another version of the lab and cannot be read.`, advice);
  }
  const values = await inSlices(inPresentOrder(curves.values, curves.metrics, rows));
  const seconds = curves.seconds ?? new Float32Array(run.updates).fill(Number.NaN);
  const history = MetricHistory.of(experiment.arms.length, experiment.seeds, values, seconds);
  await inSlices(outcomes(history));
  return { experiment, history, looks: readLooks(curves.looks) };
}
