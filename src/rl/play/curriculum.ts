/**
 * Choice of the tasks a member plays. All arms of a seed draw from the same candidates of an update, numbered 0, 1, 2 …
 * An arm takes the first ones, or chooses:
 *   - by difficulty: tasks up to a bound that rises with the updates;
 *   - near one half: tasks with the largest p(1 − p), where p is the member's recent success rate on the task, or for a task
 *     that it does not remember its mean rate (sampling for learnability, arXiv 2408.15099);
 *   - failed again: some failed tasks come back (a small version of WebRL, arXiv 2411.02337).
 * Dynamic sampling takes the candidates that follow the chosen ones.
 */
import type { Environment } from '../../environments/environment';
import type { Arm } from '../../experiment/experiment';
import { RandomStream, STREAM } from '../../foundation/philox';
import type { Member } from '../population';
import { TaskMemory, type TaskRecord } from './taskMemory';
import type { Trajectories } from './trajectories';

/** Candidates drawn for each task wanted. After these, the easiest of those above the bound are taken. */
const MOST_TRIES = 64;

/** Bound on the difficulty of an arm's tasks in an update, 0 … 1. */
function difficultyBound({ difficultyStart, difficultyUpdates }: Arm, update: number): number {
  return Math.min(1, difficultyStart + ((1 - difficultyStart) * update) / difficultyUpdates);
}

/** Turns after which an arm's episodes end in an update; infinite where the environment alone decides. */
export function turnCapAt({ turnCap, turnCapStep, turnCapUpdates }: Arm, update: number): number {
  return turnCap === 0 ? Number.POSITIVE_INFINITY : turnCap + turnCapStep * Math.floor(update / turnCapUpdates);
}

export class Curriculum {
  readonly #environment: Environment;
  readonly #members: readonly Member[];
  readonly #groups: number;
  readonly #experimentSeed: number;
  readonly #memories: readonly TaskMemory[];
  /** The next candidate of each member in this update. */
  readonly #next: Uint32Array;
  #update = 0;
  #arms: readonly Arm[] = [];

  constructor(environment: Environment, members: readonly Member[], groups: number, experimentSeed: number) {
    this.#environment = environment;
    this.#members = members;
    this.#groups = groups;
    this.#experimentSeed = experimentSeed;
    this.#memories = members.map(() => new TaskMemory());
    this.#next = new Uint32Array(members.length);
  }

  /** The tasks of an update, [P][groups]. */
  choose(arms: readonly Arm[], update: number): Int32Array[][] {
    this.#arms = arms;
    this.#update = update;
    this.#next.fill(0);
    return this.#members.map((_, member) => this.#chooseFor(member));
  }

  /** The next `count` candidates of a member: those within the bound in order, then the easiest of the others. */
  more(member: number, count: number): Int32Array[] {
    const bound = difficultyBound(this.#armOf(member), this.#update);
    if (bound === 1) return Array.from({ length: count }, () => this.#draw(member));
    const difficulty = (task: Int32Array): number => this.#environment.difficulty?.(task) ?? 0;
    const tasks: Int32Array[] = [];
    const harder: Int32Array[] = [];
    while (tasks.length < count && tasks.length + harder.length < count * MOST_TRIES) {
      const task = this.#draw(member);
      (difficulty(task) <= bound ? tasks : harder).push(task);
    }
    harder.sort((a, b) => difficulty(a) - difficulty(b));
    return [...tasks, ...harder.slice(0, count - tasks.length)];
  }

  /** Remembers how the groups just played went. played: flags [P][groups]. */
  note({ tasks, successes, count }: Trajectories, played: readonly (readonly boolean[])[]): void {
    const groupSize = count / this.#groups;
    this.#memories.forEach((memory, member) => {
      if (this.#armOf(member).taskChoice === 'drawn') return;
      tasks[member]?.forEach((task, group) => {
        if (played[member]?.[group] !== true) return;
        const first = member * count + group * groupSize;
        const solved = successes.subarray(first, first + groupSize).reduce((sum, success) => sum + success, 0);
        memory.note(task, solved / groupSize);
      });
    });
  }

  /** Memory of each member, [P]. */
  save(): TaskRecord[][] {
    return this.#memories.map((memory) => memory.save());
  }

  restore(records: readonly (readonly TaskRecord[])[]): void {
    this.#memories.forEach((memory, member) => {
      memory.restore(records[member] ?? []);
    });
  }

  #chooseFor(member: number): Int32Array[] {
    const { taskChoice } = this.#armOf(member);
    if (taskChoice === 'near-half') return this.#nearHalf(member);
    if (taskChoice === 'failed-again') return this.#withFailed(member);
    return this.more(member, this.#groups);
  }

  #nearHalf(member: number): Int32Array[] {
    const memory = this.#memories[member];
    const unknown = memory.meanRate;
    const learnability = (task: Int32Array): number => {
      const rate = memory.rateOf(task) ?? unknown;
      return rate * (1 - rate);
    };
    const candidates = this.more(member, this.#groups * this.#armOf(member).candidates);
    const scored = candidates.map((task) => ({ task, score: learnability(task) }));
    // The sort is stable: of equals the first candidates are taken.
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, this.#groups)
      .map(({ task }) => task);
  }

  #withFailed(member: number): Int32Array[] {
    const { seed } = this.#members[member];
    const random = new RandomStream(this.#experimentSeed, STREAM.curriculum, seed, this.#update, 0);
    const failed = this.#memories[member].failed;
    const repeats = Math.min(failed.length, Math.round(this.#armOf(member).failedShare * this.#groups));
    const again = Array.from({ length: repeats }, () => failed.splice(random.below(failed.length), 1)[0]);
    return [...again, ...this.more(member, this.#groups - repeats)];
  }

  #draw(member: number): Int32Array {
    const { seed } = this.#members[member];
    const number = this.#next[member];
    this.#next[member] = number + 1;
    return this.#environment.drawTask(
      new RandomStream(this.#experimentSeed, STREAM.tasks, seed, this.#update, number),
      'train',
      seed,
    );
  }

  #armOf(member: number): Arm {
    return this.#arms[this.#members[member]?.armIndex ?? -1];
  }
}
