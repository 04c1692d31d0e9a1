/**
 * Interventions: what changes in the course of a run, edited as things. Changes that are still to act are edited in the run itself;
 * others of a run hold from the next one. A branch is a copy of an arm with one change more, grown into the run that trains.
 */
import { type BranchChange, withBranch, withHeirs } from '../../experiment/arm/branch';
import { freeId } from '../../experiment/arm/freshArm';
import type { Change, Experiment } from '../../experiment/experiment';
import { checkExperiment } from '../../experiment/parse';
import { recordChanges } from '../../experiment/timeline';
import { asLabError } from '../../foundation/errors';
import { Curves } from '../../measured/curves';
import type { MetricHistory } from '../../measured/history';
import { isLive, type LabState, type LabStore, pendingDifferences } from '../lab';
import type { Lab } from '../openLab';
import { BEFORE_BRANCH, isReplaceable } from '../recorded/recorded';
import type { Runner } from '../run/runner';
import type { Editor } from './editor';

interface BranchChoice extends Omit<BranchChange, 'update'> {
  readonly name: string;
  /** Update of the change; null: as far as the run has come. */
  readonly update: number | null;
}

/** The experiment as the strip shows it: changes of the run, or of the next one where they were edited. */
export function marked({ running, edited, marks }: Pick<LabState, 'running' | 'edited' | 'marks'>): Experiment {
  if (running === null) return edited;
  return marks === null ? running : { ...running, timeline: [...marks] };
}

/** First update in which a change can still act: not one that is computed now. Infinity where a run is over. */
export function openFrom(state: Pick<LabState, 'phase' | 'running' | 'update'>): number {
  if (state.running === null) return 0;
  if (!isLive(state)) return Number.POSITIVE_INFINITY;
  return state.phase === 'running' ? state.update + 1 : state.update;
}

export class Interventions {
  readonly #store: LabStore;
  readonly #editor: Editor;
  readonly #runner: Runner;

  constructor({ store, editor, runner }: Pick<Lab, 'store' | 'editor' | 'runner'>) {
    this.#store = store;
    this.#editor = editor;
    this.#runner = runner;
  }

  /** Puts one change in place of another, also in branches that have it from its arm; null on either side adds or takes away. */
  edit(old: Change | null, next: Change | null): void {
    const experiment = marked(this.#store.getState());
    const present = experiment.timeline.find((change) => JSON.stringify(change) === JSON.stringify(old));
    const replaced = present === undefined ? [] : withHeirs(experiment, present);
    const arms = replaced.length === 0 || next?.arm !== old?.arm ? [next?.arm ?? ''] : replaced.map(({ arm }) => arm);
    const added = next === null ? [] : arms.map((arm) => ({ ...next, arm }));
    try {
      this.#take(
        recordChanges(
          experiment.timeline.filter((change) => !replaced.includes(change)),
          added,
        ),
      );
    } catch (cause) {
      this.#refuse(asLabError(cause).message);
    }
  }

  /** Takes the edited changes of the strip. */
  #take(timeline: readonly Change[]): void {
    const state = this.#store.getState();
    const { running, edited, marks } = state;
    if (running === null) {
      this.#editor.edit({ ...edited, timeline: [...timeline] });
      return;
    }
    const { experiment, problems } = checkExperiment({ ...running, timeline: [...timeline] });
    if (experiment === null) {
      this.#refuse(problems[0]?.message ?? '');
      return;
    }
    const from = openFrom(state);
    const textOf = (changes: readonly Change[]): string =>
      JSON.stringify(changes.filter((change) => change.update < from));
    if (marks === null && textOf(running.timeline) === textOf(timeline)) this.#runner.plan(from, timeline);
    else this.#store.setState({ marks: [...timeline] });
  }

  /** Grows a branch into the run, which then trains on; before a run it is planned. */
  async branch({ parent, setting, value, name, update }: BranchChoice): Promise<void> {
    await this.#editor.settle();
    await this.#runner.rest();
    const state = this.#store.getState();
    const { running, edited } = state;
    if (pendingDifferences(state).length > 0) {
      return this.#refuse('There are edits that wait for a restart: restart with them, or keep the current run.');
    }
    const of = running ?? edited;
    const at = Math.min(update ?? state.update, of.updates - 1);
    const named = { id: freeId(of), name };
    const { experiment, problems } = checkExperiment(withBranch(of, named, { parent, update: at, setting, value }));
    if (experiment === null) return this.#refuse(problems[0]?.message ?? '');
    if (running === null) this.#editor.edit(experiment);
    else if (at > 0 && (isLive(state) || state.phase === 'finished')) {
      if (state.history !== null && at < state.history.count) this.#showBefore(running, state.history);
      this.#runner.branch(experiment, { parent, branch: named.id, update: at });
    } else this.#runner.start(experiment, true);
  }

  /** Draws the curves from before a run went back behind those that it makes again; a pinned run stays. */
  #showBefore(experiment: Experiment, history: MetricHistory): void {
    const { ghost } = this.#store.getState();
    if (ghost !== null && !isReplaceable(ghost)) return;
    this.#store.setState({
      ghost: { label: BEFORE_BRANCH, arms: experiment.arms, curves: new Curves(history, experiment) },
    });
  }

  #refuse(text: string): void {
    this.#store.setState({ notice: { kind: 'refused', text, advice: '' } });
  }
}
