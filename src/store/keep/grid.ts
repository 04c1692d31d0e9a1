/**
 * A sweep over several populations, in this browser: its cells train one after the other as ordinary runs, each kept among the
 * kept runs. Of the sweep itself only its link and the ids of these runs are remembered.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { secondsFor } from '../../experiment/duration';
import type { Experiment } from '../../experiment/experiment';
import { type Axis, readAxes, withSweep, writeAxes } from '../../experiment/grid/axes';
import { type Cell, cellsOf } from '../../experiment/grid/cells';
import type { ArmNumbers } from '../../experiment/grid/finding';
import { labelOf } from '../../experiment/grid/offered';
import { decodeRunLink, encodeLink } from '../../experiment/link/link';
import { openWorldsOf } from '../../experiment/ownWorld';
import { standingHere } from '../../experiment/provenance';
import { asLabError } from '../../foundation/errors';
import type { Editor } from '../edit/editor';
import { type LabState, type LabStore, untilState } from '../lab';
import { numbersOfArms } from '../look/outcomes';
import type { Runner } from '../run/runner';
import { readSaved, writeSaved } from '../saved';
import { newestState } from './keptRun';
import type { KeptRuns } from './keptRuns';
import type { Leaving } from './leaving';

const TAG = 'sweep';

export interface GridCell extends Cell {
  /** Id of its run; null before it was begun. */
  readonly run: string | null;
  /** Numbers of the cell's arms; null until it is done. */
  readonly arms: readonly ArmNumbers[] | null;
}

export interface GridState {
  /** Experiment that the axes change; null where there is no sweep. */
  readonly experiment: Experiment | null;
  readonly axes: readonly Axis[];
  readonly cells: readonly GridCell[];
  /** Cell whose run is on screen; null for none. */
  readonly current: number | null;
  /** Reason for which the sweep cannot go on, or does not count a run; null if nothing is wrong. */
  readonly problem: string | null;
}

export const NO_GRID: GridState = { experiment: null, axes: [], cells: [], current: null, problem: null };

interface Parts {
  readonly store: LabStore;
  readonly editor: Pick<Editor, 'reset' | 'replace' | 'run'>;
  readonly runner: Pick<Runner, 'pause' | 'resume' | 'resumeKept'>;
  readonly kept: Pick<KeptRuns, 'store' | 'show' | 'read' | 'annotateRun'>;
  readonly leaving: Pick<Leaving, 'ask' | 'end'>;
}

export class Grid {
  readonly store: StoreApi<GridState> = createStore<GridState>(() => NO_GRID);
  readonly #parts: Parts;
  /** True while a cell's run is being put on screen. */
  #isBeginning = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.store.subscribe((now, before) => this.#follow(now, before));
  }

  /** Sweep that was left in this browser, with the numbers of the runs that are still kept. */
  async open(): Promise<void> {
    const saved = readSaved('sweep') as { link?: unknown; runs?: unknown } | null;
    if (typeof saved?.link !== 'string' || !Array.isArray(saved.runs)) return;
    const runs: readonly unknown[] = saved.runs;
    try {
      await openWorldsOf(decodeRunLink(saved.link).experiment);
      const { experiment, sweep } = decodeRunLink(saved.link);
      this.#plan(experiment, readAxes(sweep ?? ''), (cell) =>
        typeof runs[cell] === 'string' ? (runs[cell] as string) : null,
      );
    } catch {
      // The sweep was left by another version of the lab; its runs are among the kept ones all the same.
      return;
    }
    await this.#readKept();
  }

  /** Puts a sweep here that a link names; nothing trains yet. A sweep that is here already keeps its results. */
  offer(experiment: Experiment, text: string): void {
    try {
      const axes = readAxes(text);
      if (withSweep(encodeLink(experiment), axes) === this.link()) return;
      this.#plan(experiment, axes, () => null);
    } catch (cause) {
      this.store.setState({ ...NO_GRID, problem: asLabError(cause).message });
    }
    this.#save();
  }

  /** Trains a sweep; one that is here and done, again. */
  begin(experiment: Experiment, axes: readonly Axis[]): void {
    if (this.store.getState().cells.every(({ arms }) => arms !== null)) this.store.setState(NO_GRID);
    this.offer(experiment, writeAxes(axes));
    this.goOn();
  }

  /** Fragment of the link to the experiment with its sweep; empty where there is none. */
  link(): string {
    const { experiment, axes } = this.store.getState();
    return experiment === null ? '' : withSweep(encodeLink(experiment), axes);
  }

  /** Name of a cell: “Group size = 4, Width = 32”. */
  nameOf({ values }: Cell): string {
    const { experiment, axes } = this.store.getState();
    const labels = axes.map(({ key }) => (experiment === null ? key : labelOf(experiment, key)));
    return labels.map((label, axis) => `${label} = ${values[axis]}`).join(', ');
  }

  pause(): void {
    this.#parts.runner.pause();
  }

  /** Goes on with the cell on screen, or with the first that is not done. */
  goOn(): void {
    const { runner, leaving, store } = this.#parts;
    const { current, cells } = this.store.getState();
    const { phase } = store.getState();
    const next = cells.find(({ arms }) => arms === null);
    if (current !== null && (phase === 'paused' || phase === 'ready')) runner.resume();
    else if (next !== undefined)
      leaving.ask(`The sweep goes on with ${this.nameOf(next)}.`, () => void this.#train(next));
  }

  /** Forgets the sweep. Its runs stay among the kept ones, and the one on screen goes on by itself. */
  forget(): void {
    this.store.setState(NO_GRID);
    this.#save();
  }

  #plan(experiment: Experiment, axes: readonly Axis[], runOf: (cell: number) => string | null): void {
    const cells = cellsOf(experiment, axes).map((cell) => ({ ...cell, run: runOf(cell.index), arms: null }));
    this.store.setState({ experiment, axes, cells, current: null, problem: null });
  }

  #save(): void {
    const { cells } = this.store.getState();
    const link = this.link();
    writeSaved('sweep', link === '' ? null : { link, runs: cells.map(({ run }) => run) });
  }

  #setCell(index: number, change: Partial<GridCell>): void {
    const cells = this.store.getState().cells.map((cell) => (cell.index === index ? { ...cell, ...change } : cell));
    this.store.setState({ cells });
    this.#save();
  }

  /** Reads the numbers of cells that are done; a run that was deleted is to be trained again. */
  async #readKept(): Promise<void> {
    const { kept } = this.#parts;
    await untilOpened(kept);
    for (const { index, run, experiment } of this.store.getState().cells) {
      const keptRun = kept.store.getState().runs.find((one) => one.run === run);
      if (run === null || keptRun === undefined) this.#setCell(index, { run: null });
      else if (keptRun.updates >= experiment.updates) {
        const read = await kept.read(keptRun);
        if (read !== null && isOf(read.experiment, experiment)) {
          this.#setCell(index, { arms: numbersOfArms(experiment.arms, read.history) });
        } else this.#setCell(index, { run: null });
      }
    }
    const onScreen = this.#parts.store.getState();
    const current = this.store.getState().cells.find(({ run, arms }) => run === onScreen.run && arms === null);
    this.store.setState({ current: current?.index ?? null });
  }

  async #train(cell: GridCell): Promise<void> {
    const { store, editor, runner, kept } = this.#parts;
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    this.store.setState({ current: cell.index, problem: null });
    try {
      const { runs, states } = kept.store.getState();
      const begun = cell.run === null ? undefined : runs.find(({ run }) => run === cell.run);
      if (begun !== undefined && newestState(states[cell.run ?? '']) !== null) {
        await kept.show(begun);
        if (standingHere(begun.machines.at(-1)) === 'other') {
          const problem = `${this.nameOf(cell)} was begun with other numerics than this version has. Continue it under Runs, or delete it there: then the sweep trains it again.`;
          this.store.setState({ current: null, problem });
        } else await runner.resumeKept();
        return;
      }
      editor.reset('values');
      editor.replace(cell.experiment, null);
      editor.run();
      await untilState(store, ({ running }) => running !== null);
      const { running, run } = store.getState();
      // Files were missing, and something else was begun meanwhile.
      if (running === null || !isOf(running, cell.experiment)) this.store.setState({ current: null });
      else this.#setCell(cell.index, { run });
    } finally {
      this.#isBeginning = false;
    }
  }

  #follow(now: LabState, before: LabState): void {
    const { current, cells } = this.store.getState();
    const cell = current === null ? undefined : cells[current];
    if (cell === undefined || this.#isBeginning) return;
    if (now.run !== cell.run) this.store.setState({ current: null });
    else if (now.phase === 'finished' && before.phase !== 'finished') this.#noteFinished(cell, now);
  }

  #noteFinished(cell: GridCell, { running, history }: LabState): void {
    const { leaving, kept } = this.#parts;
    if (running === null || history === null || history.count < cell.experiment.updates) return;
    if (!isOf(running, cell.experiment)) {
      this.#setCell(cell.index, { run: null });
      const problem = `Settings were changed while ${this.nameOf(cell)} trained, so that run does not count. It is kept, and is trained again when the sweep goes on.`;
      this.store.setState({ current: null, problem });
      return;
    }
    this.#setCell(cell.index, { arms: numbersOfArms(cell.experiment.arms, history) });
    leaving.end(() => {
      if (cell.run !== null) void kept.annotateRun(cell.run, { name: this.nameOf(cell), tags: [TAG] });
      // Something else was opened while this was kept.
      if (this.store.getState().current !== cell.index) return;
      const next = this.store.getState().cells.find(({ arms }) => arms === null);
      if (next === undefined) this.store.setState({ current: null });
      else void this.#train(next);
    });
  }
}

/** True for the same experiment, under any title. */
const isOf = (one: Experiment, other: Experiment): boolean =>
  JSON.stringify({ ...one, title: '' }) === JSON.stringify({ ...other, title: '' });

function untilOpened({ store }: Pick<KeptRuns, 'store'>): Promise<void> {
  return new Promise((resolve) => {
    if (store.getState().isOpened) return resolve();
    const stop = store.subscribe(({ isOpened }) => {
      if (!isOpened) return;
      stop();
      resolve();
    });
  });
}

/** Seconds until all cells are done, at the pace of the run on screen; null before it has one. */
export function secondsLeft({ cells, current }: GridState, { history, update }: LabState): number | null {
  const cell = current === null ? undefined : cells[current];
  const seconds = Array.from(history?.seconds() ?? []).filter((time) => Number.isFinite(time));
  if (cell === undefined || seconds.length === 0) return null;
  const pace = seconds.reduce((sum, time) => sum + time, 0) / seconds.length;
  const cost = ({ experiment }: Cell): number => secondsFor(experiment, 0, 1);
  const others = cells.filter(({ index, arms }) => arms === null && index !== current);
  const ratio = others.reduce((sum, other) => sum + cost(other), 0) / (cost(cell) || 1);
  return pace * (Math.max(0, cell.experiment.updates - update) + ratio * cell.experiment.updates);
}
