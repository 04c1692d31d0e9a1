/**
 * Measures of policies that write texts: cross-entropy of ordinary texts, which nobody asks for, to see what is kept;
 * and the share of sampled texts that take up the thing asked for, of held-out tasks, and of practised ones that
 * another listener asks for in other words, to see what is carried over. Each task is played once.
 */
import type { Environment, Split, TextWorld } from '../../environments/environment';
import { once } from '../../foundation/apart';
import { Trajectories } from '../play/trajectories';
import { crossEntropyOf, type ScoreTokens } from './crossEntropy';
import type { Examiner, Measured, Setup } from './examiner';
import { textShares } from './texts';

export interface TextExaminationOptions {
  readonly members: number;
  /** Most episodes at once. */
  readonly batch: number;
  /** Smallest number of tasks of each kind; rounded up to whole batches. */
  readonly tasks: number;
}

export class TextExamination {
  readonly #examiner: Examiner;
  readonly #texts: TextWorld;
  /** Worlds in which things may be taken up; null where none is asked for. */
  readonly #asked: { readonly own: Setup; readonly other: Setup } | null;
  readonly #ordinary: () => Promise<readonly Trajectories[]>;
  readonly #rounds: number;
  readonly #score: ScoreTokens;

  constructor(
    examiner: Examiner,
    environment: Environment,
    texts: TextWorld,
    score: ScoreTokens,
    { members, batch, tasks }: TextExaminationOptions,
  ) {
    this.#examiner = examiner;
    this.#texts = texts;
    const otherEnvironment = texts.other?.();
    this.#asked =
      otherEnvironment === undefined
        ? null
        : { own: examiner.setup(environment, batch, 1), other: examiner.setup(otherEnvironment, batch, 1) };
    this.#ordinary = once(async () => recordOrdinary(await texts.ordinary(), environment, members, batch));
    this.#rounds = Math.ceil(tasks / batch);
    this.#score = score;
  }

  /** Plays and scores all tasks and texts, with the hyperparameters that the decoder has. */
  async run(): Promise<Measured> {
    const ordinary = ['ordinaryCrossEntropy', await crossEntropyOf(await this.#ordinary(), this.#score)] as const;
    if (this.#asked === null) return [ordinary];
    return [
      ordinary,
      ['heldOutTakenUp', await this.#takenUp(this.#asked.own, 'held-out')],
      ['otherListenerTakenUp', await this.#takenUp(this.#asked.other, 'train')],
    ];
  }

  async #takenUp(setup: Setup, split: Split): Promise<Float64Array> {
    const shares = new Float64Array(setup.trajectories.members);
    for (let round = 0; round < this.#rounds; round++) {
      const { takenUp } = textShares(await this.#examiner.play(setup, round, split), this.#texts);
      takenUp.forEach((share, member) => {
        shares[member] += share / this.#rounds;
      });
    }
    return shares;
  }
}

/** Ordinary texts in whole batches: the last one is filled up with prompts, whose cross-entropy is not taken. */
function recordOrdinary(
  ordinary: readonly (readonly number[])[],
  { context, maxTurns }: Environment,
  members: number,
  batch: number,
): Trajectories[] {
  return Array.from({ length: Math.ceil(ordinary.length / batch) }, (_, round) => {
    const trajectories = new Trajectories(members, batch, context, maxTurns);
    for (let i = 0; i < members * batch; i++) {
      const number = round * batch + (i % batch);
      const role = number < ordinary.length ? 'observation' : 'prompt';
      const text = ordinary[number % ordinary.length] ?? [];
      for (const [at, token] of text.entries()) trajectories.appendSaid(i, token, at === 0 ? 'prompt' : role);
    }
    return trajectories;
  });
}
