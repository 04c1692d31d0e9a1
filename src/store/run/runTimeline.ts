/**
 * Timeline of the run on screen: changes that were made while it trained, and those planned, which the controls show when they
 * act.
 */
import type { Arm, Change } from '../../experiment/experiment';
import { effectiveArms, recordChanges } from '../../experiment/timeline';
import type { LabStore } from '../lab';

export class RunTimeline {
  readonly #store: LabStore;
  /** Planned changes of the experiment that have not acted yet. */
  #planned: readonly Change[] = [];
  /** Number of plans that the trainer has not answered yet. */
  #plansAsked = 0;

  constructor(store: LabStore) {
    this.#store = store;
  }

  /** Takes the changes that act later in the run, instead of those planned before. */
  plan(changes: readonly Change[]): void {
    this.#planned = changes;
  }

  /** Moves the controls when planned changes act, such as those of a link. */
  replay(): void {
    const { update, edited, told, copies } = this.#store.getState();
    const due = this.#planned.filter((change) => change.update <= update);
    if (due.length === 0) return;
    this.#planned = this.#planned.filter((change) => change.update > update);
    const ofCopies = Object.entries(copies).flatMap(([copy, original]) =>
      due.filter(({ arm }) => arm === original).map((change) => ({ ...change, arm: copy })),
    );
    const replayed = (arms: readonly Arm[]): Arm[] =>
      effectiveArms({ ...edited, arms: [...arms], timeline: [...due, ...ofCopies] }, update);
    this.#store.setState({ edited: { ...edited, arms: replayed(edited.arms) }, told: replayed(told) });
  }

  /** Shows the run's timeline as the trainer was asked to have it from an update on. */
  replan(from: number, timeline: readonly Change[]): void {
    this.#plansAsked += 1;
    this.#take(from, timeline);
  }

  /** Takes the trainer's answer, unless another plan was asked for since: its answer tells how it is. */
  replanned(from: number, timeline: readonly Change[]): void {
    this.#plansAsked -= 1;
    if (this.#plansAsked <= 0) this.#take(from, timeline);
  }

  /** Writes changes down that the trainer has made. Throws LabError where there are too many. */
  record(changes: readonly Change[]): void {
    const { running, marks } = this.#store.getState();
    if (running === null) return;
    this.#store.setState({
      running: { ...running, timeline: recordChanges(running.timeline, changes) },
      marks: marks === null ? null : recordChanges(marks, changes),
    });
  }

  /** Takes over a timeline. Its changes from an update on count as planned before the run: a restart keeps them. */
  #take(from: number, timeline: readonly Change[]): void {
    const { running, edited } = this.#store.getState();
    if (running === null) return;
    const planned = new Set(edited.timeline.map((change) => JSON.stringify(change)));
    this.plan(timeline.filter((change) => change.update >= from));
    this.#store.setState({
      running: { ...running, timeline: [...timeline] },
      edited: {
        ...edited,
        timeline: timeline.filter((change) => change.update >= from || planned.has(JSON.stringify(change))),
      },
    });
    this.replay();
  }
}
