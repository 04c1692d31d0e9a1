/**
 * Watch over a run for divergence: it remembers the newest snapshot from before the weights grew or gradients ceased to be
 * finite, and says how the run can go on from there.
 */
import type { Change, Experiment } from '../../experiment/experiment';
import { DIVERGED_AFTER, grownMembers, isTrained, lowerRates } from '../../rl/measure/divergence';
import type { GradientWatch, NonFinite } from '../../rl/measure/nonFinite';
import type { Member } from '../../rl/population';
import type { Snapshot } from '../population/training';

/** Members that diverged, and a way back. */
export interface Divergence {
  /** Each with the update since which it takes no step, and the cause. */
  readonly members: readonly (NonFinite & { readonly member: Member })[];
  /** True if no member trains any more. */
  readonly isAll: boolean;
  /** Updates in the last healthy state; 0 for the beginning. */
  readonly to: number;
  /** The state; null for the beginning. */
  readonly snapshot: Snapshot | null;
  /** Changes to go on with from there. */
  readonly changes: readonly Change[];
}

export class DivergenceWatch {
  readonly #gradients: GradientWatch;
  readonly #experiment: () => Experiment;
  #healthy: Snapshot | null = null;
  /** Members that have diverged, by index. */
  #gone: ReadonlySet<number> = new Set();
  #found: Divergence | null = null;

  /** `gradients` are added to before each call here. `experiment`: with the timeline up to that moment. */
  constructor(gradients: GradientWatch, experiment: () => Experiment) {
    this.#gradients = gradients;
    this.#experiment = experiment;
  }

  /** Divergence that was found and not yet answered; null if there is none. */
  get found(): Divergence | null {
    return this.#found;
  }

  /** Takes a snapshot, once all updates before it have been measured. */
  consider(snapshot: Snapshot): void {
    if (this.#isHealthy(snapshot, this.#gone)) this.#healthy = snapshot;
  }

  /** Takes a snapshot that was healthy when it was kept. */
  trust(snapshot: Snapshot): void {
    this.#healthy = snapshot;
  }

  /** True if no member of a snapshot has diverged; its updates have been measured. */
  isHealthy(snapshot: Snapshot): boolean {
    return this.#isHealthy(snapshot, new Set());
  }

  /** `lost`: indices of members that are not judged. */
  #isHealthy({ members, tensors }: Snapshot, lost: ReadonlySet<number>): boolean {
    const isLost = (index: number): boolean => lost.has(index);
    return (
      this.#nonFinite(members).every(isLost) && [...grownMembers(this.#experiment(), members, tensors)].every(isLost)
    );
  }

  #nonFinite(members: readonly Member[], least?: number, update?: number): number[] {
    const experiment = this.#experiment();
    return this.#gradients.nonFinite(least, update).filter((index) => {
      const member = members[index];
      return member !== undefined && isTrained(experiment, member);
    });
  }

  /** Looks after an update whether further members have diverged; null if not. */
  check(update: number, members: readonly Member[]): Divergence | null {
    const diverged = this.#nonFinite(members, DIVERGED_AFTER, update);
    if (diverged.every((index) => this.#gone.has(index))) return null;
    const experiment = this.#experiment();
    // A way back that was offered and not answered stays.
    const snapshot = this.#found === null ? this.#healthy : this.#found.snapshot;
    this.#gone = new Set(diverged);
    const trained = [...members.keys()].filter((index) => isTrained(experiment, members[index] as Member));
    const to = snapshot?.update ?? 0;
    const described = this.#gradients.describe(diverged, members);
    const arms = [...new Set(described.map(({ member }) => member.arm))];
    this.#found = {
      members: described,
      isAll: trained.every((index) => this.#gone.has(index)),
      to,
      snapshot,
      changes: lowerRates(experiment, arms, to, update),
    };
    return this.#found;
  }

  /** Lets the run go on. */
  dismiss(): void {
    this.#found = null;
  }

  /** Notes that the run went back. */
  wentBack(): void {
    this.#found = null;
    this.#gone = new Set();
  }
}
