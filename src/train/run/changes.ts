/** Changes of a run while it trains: those made now, and those still to act. */
import type { Change, Experiment } from '../../experiment/experiment';
import { parseExperiment } from '../../experiment/parse';
import { recordChanges } from '../../experiment/timeline';
import type { RunDevice } from './choose/device';
import type { Loop } from './loop';
import type { Post } from './reporter';
import type { Status } from './status';

interface ChangesParts {
  readonly post: Post;
  readonly status: Status;
  readonly device: RunDevice;
  readonly loop: Loop;
}

export class Changes {
  readonly #parts: ChangesParts;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
  }

  /** Makes changes that act in the next update. Throws LabError when one is not valid. */
  make(changes: readonly Omit<Change, 'update'>[]): void {
    const { post, status } = this.#parts;
    const update = this.#next;
    const timed = changes.map((change) => ({ ...change, update }));
    this.#use(withChanges(status.experiment, timed));
    post({ type: 'changed', changes: timed });
  }

  /** Replaces those still to act; one that comes too late acts in the next update. Throws LabError when one is not valid. */
  plan(changes: readonly Change[]): void {
    const { post, status } = this.#parts;
    const from = this.#next;
    const acted = status.experiment.timeline.filter((change) => change.update < from);
    const ahead = changes.map((change) => ({ ...change, update: Math.max(change.update, from) }));
    this.#use(withChanges({ ...status.experiment, timeline: acted }, ahead));
    post({ type: 'planned', from, timeline: status.experiment.timeline });
  }

  /** The update that a change made now acts in: never one that is only computed again. */
  get #next(): number {
    const { device, loop, status } = this.#parts;
    return Math.max((device.training?.finished ?? 0) + (loop.isUpdating ? 1 : 0), status.furthest);
  }

  #use(experiment: Experiment): void {
    const { device, status } = this.#parts;
    status.experiment = experiment;
    device.training?.setTimeline(experiment.timeline);
  }
}

/** The experiment with changes added. Throws LabError when one is not valid. */
export function withChanges(experiment: Experiment, changes: readonly Change[]): Experiment {
  return parseExperiment({ ...experiment, timeline: recordChanges(experiment.timeline, changes) });
}
