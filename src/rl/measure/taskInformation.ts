/**
 * Mutual information of task and behaviour (RAGEN-2, arXiv 2604.06268): how much an episode's actions tell of the task they
 * answer. Each of some episodes z is scored under the prompt x of every task of the batch: log p(z | x), the sum over the
 * tokens that the policy drew, under the policy that is about to be trained. With G tasks, all as likely,
 *   p(z) = Σ p(z | x) / G        I = mean of log p(z | own x) − log p(z), at most log G
 *   H(Z | X) = −mean of log p(z | own x)        retrieval = share of episodes whose own x is the likeliest
 * A policy that answers every task by one template has I = 0, however large H(Z | X) is: entropy does not show it.
 *
 * The prompt alone is exchanged, not the world's answers: the question is what the policy makes of the
 * prompt; docs/decisions/objectives.md has the alternatives.
 */
import type { Environment } from '../../environments/environment';
import { isDrawn } from '../../foundation/roles';
import { Trajectories } from '../play/trajectories';
import type { Measured } from './examiner';

/** Passes that score: of an Update. */
interface Scored {
  recordScores(): (trajectories: Trajectories) => Promise<ArrayLike<number>>;
}

interface Sizes {
  readonly groups: number;
  readonly groupSize: number;
}

export interface Information {
  /** I, nats; NaN where all prompts are the same. */
  readonly information: number;
  /** Share of episodes, 0 … 1; NaN where all prompts are the same. */
  readonly retrieval: number;
  /** H(Z | X), nats an episode. */
  readonly entropy: number;
}

/**
 * Information of scores. logProbs: log p(z | x), one row of tasks an episode; tasks: the task of each episode; prompts: the
 * prompt of each task. Tasks of one prompt are the same answer. Likeliest prompts that tie share the retrieval.
 */
export function informationOf(
  logProbs: readonly (readonly number[])[],
  tasks: readonly number[],
  prompts: readonly string[],
): Information {
  const mean = (value: (row: readonly number[], task: number) => number): number =>
    logProbs.reduce((sum, row, episode) => sum + value(row, tasks[episode]), 0) / logProbs.length;
  const isTold = new Set(prompts).size > 1;
  const ofOwn = (row: readonly number[], task: number): number => row[task];
  return {
    information: isTold ? mean((row, task) => row[task] - logMeanExp(row)) : Number.NaN,
    retrieval: isTold ? mean((row, task) => retrievalOf(row, prompts, prompts[task])) : Number.NaN,
    entropy: -mean(ofOwn),
  };
}

function logMeanExp(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0) / values.length);
}

/** Share of the likeliest tasks that have the episode's own prompt. */
function retrievalOf(row: readonly number[], prompts: readonly string[], target: string): number {
  const most = Math.max(...row);
  const likeliest = prompts.filter((_, task) => row[task] === most);
  return likeliest.filter((prompt) => prompt === target).length / likeliest.length;
}

export class TaskInformation {
  readonly #groups: number;
  readonly #groupSize: number;
  /** Episodes of each group that are scored: its first ones. */
  readonly #each: number;
  /** Episodes with another prompt, [P, B, T]. */
  readonly #exchanged: Trajectories;
  readonly #score: (trajectories: Trajectories) => Promise<ArrayLike<number>>;

  /** Records its programs; call before the backend is prepared. episodes: of each group. */
  constructor(
    { context, maxTurns }: Pick<Environment, 'context' | 'maxTurns'>,
    scored: Scored,
    members: number,
    { groups, groupSize }: Sizes,
    episodes: number,
  ) {
    this.#groups = groups;
    this.#groupSize = groupSize;
    this.#each = Math.min(episodes, groupSize);
    this.#exchanged = new Trajectories(members, groups * groupSize, context, maxTurns);
    this.#score = scored.recordScores();
  }

  /** Measures a batch that was played. Overwrites what an Update has scored, and no number of the training. */
  async measure(trajectories: Trajectories): Promise<Measured> {
    const { members, count } = trajectories;
    const G = this.#groups;
    const tasks = Array.from({ length: G * this.#each }, (_, episode) => Math.floor(episode / this.#each));
    const scores = Array.from({ length: members }, () => tasks.map((): number[] => []));
    // Pairs of an episode and a task, a batch of them at a time, the same of every member.
    const pairs = tasks.flatMap((_, episode) => Array.from({ length: G }, (_, task) => ({ episode, task })));
    const openings = Array.from({ length: members }, (_, member) => this.#openings(trajectories, member));
    for (let first = 0; first < pairs.length; first += count) {
      const scored = pairs.slice(first, first + count);
      this.#exchanged.clear();
      for (let member = 0; member < members; member++) {
        scored.forEach(({ episode, task }, slot) => {
          this.#lay(trajectories, openings[member], member, this.#slotOf(episode), task, slot);
        });
      }
      const logProbs = await this.#score(this.#exchanged);
      for (let member = 0; member < members; member++) {
        scored.forEach(({ episode }, slot) => {
          scores[member][episode].push(this.#drawnLogProb(logProbs, member * count + slot));
        });
      }
    }
    const measured = scores.map((rows, member) =>
      informationOf(rows, tasks, this.#prompts(trajectories, openings[member], member)),
    );
    return [
      ['taskInformation', measured.map(({ information }) => information)],
      ['taskRetrieval', measured.map(({ retrieval }) => retrieval)],
      ['behaviourEntropy', measured.map(({ entropy }) => entropy)],
    ];
  }

  #slotOf(episode: number): number {
    return Math.floor(episode / this.#each) * this.#groupSize + (episode % this.#each);
  }

  /** Length of each task's prompt: the tokens before the first that the policy draws. */
  #openings({ count, context, lengths, roles }: Trajectories, member: number): number[] {
    return Array.from({ length: this.#groups }, (_, task) => {
      const i = member * count + task * this.#groupSize;
      const drawn = roles.subarray(i * context, i * context + lengths[i]).findIndex(isDrawn);
      return drawn < 0 ? lengths[i] : drawn;
    });
  }

  #prompts({ count, context, tokens }: Trajectories, openings: readonly number[], member: number): string[] {
    return openings.map((length, task) => {
      const first = (member * count + task * this.#groupSize) * context;
      return tokens.subarray(first, first + length).join();
    });
  }

  /** Writes an episode with a task's prompt; its end is cut off where it would not fit behind the longest of the prompts. */
  #lay(
    trajectories: Trajectories,
    openings: readonly number[],
    member: number,
    episode: number,
    task: number,
    slot: number,
  ): void {
    const { count, context, lengths } = trajectories;
    const to = member * count + slot;
    const played = member * count + episode;
    const opens = (member * count + task * this.#groupSize) * context;
    const opening = openings[Math.floor(episode / this.#groupSize)];
    const rest = Math.min(lengths[played] - opening, context - Math.max(...openings));
    for (const name of ['tokens', 'roles', 'legalSets'] as const) {
      const [from, into] = [trajectories[name], this.#exchanged[name]];
      into.set(from.subarray(opens, opens + openings[task]), to * context);
      const begin = played * context + opening;
      into.set(from.subarray(begin, begin + rest), to * context + openings[task]);
    }
    this.#exchanged.lengths[to] = openings[task] + rest;
  }

  #drawnLogProb(logProbs: ArrayLike<number>, i: number): number {
    const { context, lengths, roles } = this.#exchanged;
    let sum = 0;
    for (let at = i * context; at < i * context + lengths[i]; at++) if (isDrawn(roles[at])) sum += logProbs[at];
    return sum;
  }
}
