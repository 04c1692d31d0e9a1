/** Numbers of a batch that other losses are worked out from, kept while its trajectories pass; ids and texts are not. */
import { LabError } from '../../foundation/errors';
import { BATCH_ROLE, type BatchTrajectory, isSampled, used } from '../trajectory';

/** A trajectory from the last token of its prompt on: nothing before it is a target. */
export type KeptTrajectory = Pick<BatchTrajectory, 'number' | 'length' | 'columns' | 'group'> & {
  readonly roles: Uint8Array;
  readonly reward: number;
};

/** Tokens of a batch with the padding to its longest trajectory: some 200 bytes are needed for each. */
const MOST_PLACES = 1 << 22;

export class KeptBatch {
  readonly #all: KeptTrajectory[] = [];
  #withoutTokens = 0;
  /** Σ (weight × advantage)² over all tokens, those of prompts too; NaN if either is unknown. */
  usedSquares = 0;

  add({ number, length, roles, columns, reward, group }: BatchTrajectory): void {
    if (roles === null || length === 0) {
      this.#withoutTokens++;
      return;
    }
    const { weight, advantage, correction } = columns;
    for (let token = 0; token < length; token++) {
      this.usedSquares += used(weight?.[token], advantage?.[token], correction?.[token]) ** 2;
    }
    if (weight === undefined || advantage === undefined) this.usedSquares = Number.NaN;
    const begins = roles.findIndex((role) => role !== BATCH_ROLE.prompt && role !== BATCH_ROLE.template);
    const from = Math.max(0, (begins === -1 ? length : begins) - 1);
    const cut = Object.entries(columns).map(([name, values]) => [name, values.subarray(from)]);
    this.#all.push({
      ...{ number, length: length - from, roles: roles.subarray(from), columns: Object.fromEntries(cut), group },
      reward: reward ?? Number.NaN,
    });
  }

  /** Groups beside each other, in the order in which they began. Throws LabError where there is nothing to work with. */
  finish(): KeptTrajectory[] {
    if (this.#withoutTokens > 0) {
      const what = `${this.#withoutTokens} trajectories have texts only: a loss needs tokens with their log-probs.`;
      throw new LabError('invalid-batch', what, 'Write the batch by token; docs/batch.md has what writes one.');
    }
    const places = this.#all.length * Math.max(...this.#all.map(({ length }) => length));
    if (places > MOST_PLACES) {
      const what = `With padding to its longest response the batch has ${places.toLocaleString('en')} tokens.`;
      const advice = `Name a part of it: at most ${MOST_PLACES.toLocaleString('en')} can be worked out again.`;
      throw new LabError('limits', what, advice);
    }
    const places0 = new Map<string | null, number>();
    for (const [at, { group }] of this.#all.entries()) if (!places0.has(group)) places0.set(group, at);
    const placeOf = ({ group }: KeptTrajectory): number => places0.get(group) ?? 0;
    return this.#all.sort((a, b) => placeOf(a) - placeOf(b));
  }
}

/** True where every sampled token behind the first has a finite number. `of`: whether a role is looked at. */
export const covers = (
  { roles, columns }: KeptTrajectory,
  name: keyof KeptTrajectory['columns'],
  of: (role: number) => boolean = isSampled,
): boolean => {
  const column = columns[name];
  return column !== undefined && roles.every((role, at) => at === 0 || !of(role) || Number.isFinite(column[at]));
};
