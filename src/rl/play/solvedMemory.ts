/**
 * A member's memory of episodes that it solved, bounded as a whole and for each task. It is part of a run's state. An episode
 * is held as its task and what was drawn in each turn: the world gives the rest again when the actions are played again.
 */
import type { RandomStream } from '../../foundation/philox';
import type { RecordedAction } from './recording';

/** Turn of a solved episode: all that the policy drew, each token with its log-prob under the policy that drew it. */
export type SolvedTurn = Required<RecordedAction>;

export interface Solved {
  readonly task: Int32Array;
  /** Update in which the episode was played. */
  readonly update: number;
  /** Advantage that the episode had there. */
  readonly advantage: number;
  readonly turns: readonly SolvedTurn[];
}

/** Bounds of a memory, and the episode that leaves where one is passed. */
export interface SolvedBounds {
  readonly size: number;
  readonly perTask: number;
  readonly leaves: 'oldest' | 'longest';
}

/**
 * A solved episode in snapshots: SOLVED, update, advantage, the task's length and integers, then each turn as two lengths,
 * its thoughts and action, and their log-probs.
 */
export type SolvedRecord = readonly number[];

/** First number of a solved episode's record; that of a task's record is a rate, 0 … 1. */
const SOLVED = -1;

export const isSolvedRecord = (record: readonly number[]): boolean => record[0] === SOLVED;

/** A solved episode, with the numbers by which it is found and judged. */
interface Held {
  readonly episode: Solved;
  readonly task: string;
  /** Drawn tokens of all turns, as one text. */
  readonly drawn: string;
  /** Number of tokens drawn. */
  readonly tokens: number;
}

export class SolvedMemory {
  /** The episodes held, in the order in which they were played. */
  #held: Held[] = [];

  get size(): number {
    return this.#held.length;
  }

  /** True if some episode of the task is held. */
  knows(task: Int32Array): boolean {
    const key = task.join();
    return this.#held.some((one) => one.task === key);
  }

  /** Notes an episode. It takes the place of one with the same task and actions; then the bounds are kept. */
  note(episode: Solved, { size, perTask, leaves }: SolvedBounds): void {
    const entry = heldOf(episode);
    this.#held = this.#held.filter(({ task, drawn }) => task !== entry.task || drawn !== entry.drawn);
    this.#held.push(entry);
    this.#keep(perTask, leaves, ({ task }) => task === entry.task);
    this.#keep(size, leaves, () => true);
  }

  /** Lets episodes go until `most` of those that `counts` picks are left. */
  #keep(most: number, leaves: SolvedBounds['leaves'], counts: (one: Held) => boolean): void {
    for (;;) {
      const counted = this.#held.filter(counts);
      if (counted.length <= most) return;
      const longest = Math.max(...counted.map(({ tokens }) => tokens));
      // The oldest of equally long ones goes, which is the first.
      const gone = counted.find(({ tokens }) => leaves === 'oldest' || tokens === longest);
      this.#held = this.#held.filter((one) => one !== gone);
    }
  }

  /**
   * Draws `count` different episodes, or all there are if these are fewer: evenly, or each in proportion to its advantage
   * among those that are left. Episodes of no advantage come once the others are drawn, evenly.
   */
  draw(count: number, random: RandomStream, draws: 'evenly' | 'by-advantage' = 'evenly'): Solved[] {
    const left = [...this.#held];
    const most = Math.min(count, left.length);
    const place = (): number => {
      let sum = 0;
      const sums = left.map(({ episode }) => {
        sum += Math.max(0, episode.advantage);
        return sum;
      });
      if (draws === 'evenly' || sum === 0) return random.below(left.length);
      const at = random.unit() * sum;
      return sums.findIndex((upTo) => at < upTo);
    };
    return Array.from({ length: most }, () => left.splice(place(), 1)[0].episode);
  }

  save(): SolvedRecord[] {
    return this.#held.map(({ episode: { update, advantage, task, turns } }) => [
      SOLVED,
      update,
      advantage,
      task.length,
      ...task,
      ...turns.flatMap((turn) => [
        ...[turn.thoughts.length, turn.tokens.length],
        ...Array.from(turn.thoughts),
        ...Array.from(turn.tokens),
        ...Array.from(turn.thoughtLogProbs),
        ...Array.from(turn.logProbs),
      ]),
    ]);
  }

  restore(records: readonly SolvedRecord[]): void {
    this.#held = records.map((record) => heldOf(readRecord(record)));
  }
}

function heldOf(episode: Solved): Held {
  const turns = episode.turns.map(({ thoughts, tokens }) => [...thoughts, ...Array.from(tokens)]);
  return { episode, task: episode.task.join(), drawn: turns.join(';'), tokens: turns.flat().length };
}

function readRecord(record: SolvedRecord): Solved {
  let at = 1;
  const take = (length: number): number[] => {
    at += length;
    return record.slice(at - length, at);
  };
  const [update = 0, advantage = 0, length = 0] = take(3);
  const task = Int32Array.from(take(length));
  const turns: SolvedTurn[] = [];
  while (at < record.length) {
    const [thoughts = 0, tokens = 0] = take(2);
    turns.push({
      thoughts: take(thoughts),
      tokens: take(tokens),
      thoughtLogProbs: take(thoughts),
      logProbs: take(tokens),
    });
  }
  return { task, update, advantage, turns };
}
