/** Log-probs of any token sequences under their members' policies, by the training's passes. */
import type { Environment } from '../../../environments/environment';
import { ROLES } from '../../../foundation/roles';
import { Trajectories } from '../../play/trajectories';
import type { Update } from '../../update';

export interface MemberSequence {
  readonly member: number;
  readonly tokens: ArrayLike<number>;
  readonly roles: ArrayLike<number>;
}

export class Scorer {
  readonly #trajectories: Trajectories;
  readonly #score: (trajectories: Trajectories) => Promise<ArrayLike<number>>;

  /** Records programs: prepare the backend next. */
  constructor(environment: Environment, update: Update, members: number, count: number) {
    this.#trajectories = new Trajectories(members, count, environment.context, environment.maxTurns);
    this.#score = update.recordScores();
  }

  /**
   * log π of every token of each sequence, over the full vocabulary also for the policy's own tokens. Sequences fit the
   * context.
   */
  async score(sequences: readonly MemberSequence[]): Promise<ArrayLike<number>[]> {
    const { members, count, context } = this.#trajectories;
    const waiting = Array.from({ length: members }, (_, member) =>
      sequences.flatMap((one, index) => (one.member === member ? [index] : [])),
    );
    const logProbs: ArrayLike<number>[] = [];
    while (waiting.some((ofMember) => ofMember.length > 0)) {
      const batch = waiting.map((ofMember) => ofMember.splice(0, count));
      this.#trajectories.clear();
      batch.forEach((ofMember, member) => {
        ofMember.forEach((index, slot) => {
          this.#write(member * count + slot, sequences[index]);
        });
      });
      const values = await this.#score(this.#trajectories);
      batch.forEach((ofMember, member) => {
        ofMember.forEach((index, slot) => {
          const first = (member * count + slot) * context;
          const { length } = sequences[index].tokens;
          logProbs[index] = Float64Array.from({ length }, (_, t) => values[first + t]);
        });
      });
    }
    return logProbs;
  }

  #write(trajectory: number, { tokens, roles }: MemberSequence): void {
    for (let t = 0; t < tokens.length; t++) {
      const role = ROLES[roles[t]] ?? 'prompt';
      if (role === 'action' || role === 'thought') this.#trajectories.appendDrawn(trajectory, tokens[t], 0, 0, role);
      else this.#trajectories.appendSaid(trajectory, tokens[t], role);
    }
  }
}
