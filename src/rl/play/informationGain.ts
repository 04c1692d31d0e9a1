/**
 * Reading of information gain (IGPO, arXiv 2510.14967): how probable the policy holds the right answer to be, before every
 * turn of an episode. The answer's words a₁ … a_L are laid after what had been said and done by then, in the place of what the
 * policy did, and scored:
 *   P = exp((1/L) Σ log π(a_j | history, a_<j))
 * under the policy that is about to be trained, with the temperature and among the words that it draws from in that turn; 0
 * where the answer was no legal action then. Thoughts before it are left out: their end alone is laid.
 *
 * A turn's reward (rewards.ts) is the difference to the next turn's P. Before the first turn all episodes of a task have said
 * the same, so that one of them is scored.
 */
import type { Environment } from '../../environments/environment';
import { turnsOf } from '../../environments/replay';
import { LabError } from '../../foundation/errors';
import type { Backend } from '../../tensor/backend';
import { Trajectories } from './trajectories';

/** Passes that score: of an Update. */
interface Scored {
  recordScores(): (trajectories: Trajectories) => Promise<ArrayLike<number>>;
}

interface Passes {
  readonly laid: Trajectories;
  readonly score: ReturnType<Scored['recordScores']>;
}

/** A place of an episode: before its turn, with the answer to its task. */
interface Place {
  readonly trajectory: number;
  readonly turn: number;
  readonly answer: readonly number[];
}

export class InformationGain {
  readonly #backend: Pick<Backend, 'prepare'>;
  readonly #environment: Environment;
  readonly #update: Scored;
  readonly #groupSize: number;
  /** Passes, and the answers laid for them; null until an arm is paid by them. */
  #passes: Passes | null = null;

  constructor(backend: Pick<Backend, 'prepare'>, environment: Environment, update: Scored, groupSize: number) {
    this.#backend = backend;
    this.#environment = environment;
    this.#update = update;
    this.#groupSize = groupSize;
  }

  /** Writes P before every turn of these episodes (trajectories.turnKnown). Overwrites an Update's scores. */
  async read(trajectories: Trajectories, played: readonly number[]): Promise<void> {
    const { members, count, maxTurns, turnKnown } = trajectories;
    const { laid, score } = await this.#open(trajectories);
    const places = Array.from({ length: members }, (_, member) =>
      this.#placesOf(
        trajectories,
        played.filter((i) => Math.floor(i / count) === member),
      ),
    );
    const most = Math.max(0, ...places.map(({ length }) => length));
    for (let first = 0; first < most; first += count) {
      const scored = places.map((ofMember) => ofMember.slice(first, first + count));
      laid.clear();
      const fits = scored.map((ofMember, member) =>
        ofMember.map((place, slot) => this.#lay(trajectories, place, laid, member * count + slot)),
      );
      const logProbs = await score(laid);
      scored.forEach((ofMember, member) => {
        ofMember.forEach(({ trajectory, turn, answer }, slot) => {
          const i = member * count + slot;
          const end = i * laid.context + laid.lengths[i];
          const words = Array.from({ length: answer.length }, (_, j) => logProbs[end - answer.length + j]);
          const mean = words.reduce((sum, value) => sum + value, 0) / words.length;
          turnKnown[trajectory * maxTurns + turn] = fits[member][slot] ? Math.exp(mean) : 0;
        });
      });
    }
    this.#share(trajectories, played);
  }

  async #open({ members, count, context, maxTurns }: Trajectories): Promise<Passes> {
    if (this.#passes !== null) return this.#passes;
    if (this.#environment.answer === undefined) {
      const what = 'This world knows no right answer, so that no turn can be paid by what it told of it.';
      throw new LabError('invalid-experiment', what, 'Set the weight of information gain to 0, or take another world.');
    }
    const laid = new Trajectories(members, count, context, maxTurns);
    this.#passes = { laid, score: this.#update.recordScores() };
    await this.#backend.prepare();
    return this.#passes;
  }

  /** Places to score of a member's episodes: before each turn, of the first turn that of the first in each group. */
  #placesOf(trajectories: Trajectories, played: readonly number[]): Place[] {
    const answers = new Map<number, readonly number[] | null>();
    return played.flatMap((trajectory) => {
      const group = this.#groupOf(trajectory);
      const isFirst = !answers.has(group);
      if (isFirst) answers.set(group, this.#environment.answer?.(trajectories.taskOf(trajectory)) ?? null);
      const answer = answers.get(group) ?? null;
      if (answer === null) return [];
      const turns = Array.from({ length: trajectories.turns[trajectory] }, (_, turn) => turn).slice(isFirst ? 0 : 1);
      return turns.map((turn) => ({ trajectory, turn, answer }));
    });
  }

  #groupOf(trajectory: number): number {
    return Math.floor(trajectory / this.#groupSize);
  }

  /** Gives every episode the first turn's P of the first of its group. */
  #share({ maxTurns, turnKnown }: Trajectories, played: readonly number[]): void {
    const first = new Map<number, number>();
    for (const trajectory of played) {
      const group = this.#groupOf(trajectory);
      if (!first.has(group)) first.set(group, turnKnown[trajectory * maxTurns]);
      turnKnown[trajectory * maxTurns] = first.get(group) as number;
    }
  }

  /** Writes the tokens before a turn, and the answer; false where it would not fit. */
  #lay(trajectories: Trajectories, { trajectory, turn, answer }: Place, laid: Trajectories, to: number): boolean {
    const { context, lengths, roles } = trajectories;
    const from = trajectory * context;
    const { begin, action } = turnsOf(roles.subarray(from, from + lengths[trajectory]))[turn];
    for (const name of ['tokens', 'roles', 'legalSets'] as const) {
      laid[name].set(trajectories[name].subarray(from, from + begin), to * context);
    }
    laid.lengths[to] = begin;
    const { thoughts } = this.#environment;
    if (action > begin && thoughts !== undefined) laid.appendDrawn(to, thoughts.end, thoughts.legalSet, 0, 'thought');
    const legalSet = trajectories.legalSets[from + action];
    const fits = laid.lengths[to] + answer.length <= context;
    for (const token of fits ? answer : []) laid.appendDrawn(to, token, legalSet, 0);
    return fits;
  }
}
