/**
 * Writer of dreams. Before the turn where a dream begins, all tokens are the episode's. From there on the policy writes the
 * environment's answers, token by token; the actions stay those really taken. Dreams of all members are written side by side
 * on the training's decoder.
 *
 * Only the content of answers is dreamed. Their lengths are taken from the episode.
 */
import { ROLE } from '../../../foundation/roles';
import { NOT_DRAWN, type TurnDecoder } from '../../../policy/decoder';
import { packMeta, ROW_FIELDS } from '../../../tensor/layout';

/** Dream being written; `tokens` begin as the episode's. */
export interface Dreaming {
  readonly member: number;
  readonly tokens: Uint16Array;
  readonly roles: Uint8Array;
  /** Answer tokens from this position on are dreamed. */
  readonly from: number;
}

interface Slot extends Dreaming {
  /** Position of the next token to be dreamed; the length of the episode if there is none. */
  next: number;
  /** Number of tokens fed by requests; those drawn since are fed again by the next request. */
  fed: number;
}

const isAnswer = (role: number | undefined): boolean => role === ROLE.observation || role === ROLE.warning;

function nextAnswer(roles: ArrayLike<number>, from: number): number {
  let at = from;
  while (at < roles.length && !isAnswer(roles[at])) at++;
  return at;
}

export interface DreamerSizes {
  readonly members: number;
  /** Tokens of a trajectory, T. */
  readonly context: number;
  /** Largest number of tokens fed per trajectory and turn: the decoder's chunk. */
  readonly chunk: number;
  readonly maxActionTokens: number;
  /** Tokens that the decoder has room for at each place, thoughts included. */
  readonly longest: number;
}

/** Writes the dreams into their `tokens`. A member may have at most as many as the decoder has trajectories. */
export async function dream(decoder: TurnDecoder, sizes: DreamerSizes, dreams: readonly Dreaming[]): Promise<void> {
  const slots = Array.from({ length: sizes.members }, (_, member) =>
    dreams
      .filter((one) => one.member === member)
      .map((one): Slot => ({ ...one, next: nextAnswer(one.roles, one.from), fed: 0 })),
  );
  for (let drawing = ask(decoder, sizes, slots); drawing !== null; drawing = ask(decoder, sizes, slots)) {
    const { tokens } = await decoder.turn();
    drawing.forEach((ofMember, member) => {
      ofMember.forEach((slot, pick) => {
        for (let step = 0; step < sizes.maxActionTokens && isAnswer(slot.roles[slot.next]); step++) {
          const at = (member * sizes.longest + step) * decoder.places + pick;
          const token = tokens[at];
          if (token === NOT_DRAWN) break;
          slot.tokens[slot.next++] = token;
        }
        slot.next = nextAnswer(slot.roles, slot.next);
      });
    });
  }
}

/** Number of an answer's tokens that are left from its position `from` on. */
function answerLeft(roles: ArrayLike<number>, from: number): number {
  let end = from;
  while (end < roles.length && isAnswer(roles[end])) end++;
  return end - from;
}

/**
 * Writes the decoder's request: as many unfed tokens as there is room for, and a draw in each slot that has no more of them.
 * Returns the slots with a draw, for each member in the order of its picks; null once nothing is left to dream.
 */
function ask(decoder: TurnDecoder, sizes: DreamerSizes, slots: readonly (readonly Slot[])[]): Slot[][] | null {
  const { rows, rowCount, picks, pickCount, actionTokens } = decoder.request;
  let any = false;
  const drawing = slots.map((ofMember, member) => {
    const drawn: Slot[] = [];
    let row = 0;
    let fed = 0;
    ofMember.forEach((slot, index) => {
      if (slot.next >= slot.tokens.length || fed === decoder.places) return;
      any = true;
      fed++;
      const end = Math.min(slot.next, slot.fed + sizes.chunk);
      for (; slot.fed < end; slot.fed++, row++) {
        const to = (member * decoder.places * sizes.chunk + row) * ROW_FIELDS;
        const meta = packMeta(slot.roles[slot.fed], 0, index);
        rows.set([slot.tokens[slot.fed], slot.fed, index * sizes.context, meta], to);
      }
      if (slot.fed < slot.next) return;
      const at = member * decoder.places + drawn.length;
      // Legal set 0: from the whole vocabulary.
      picks.set([row - 1, slot.next, index, packMeta(ROLE.observation, 0, index)], at * ROW_FIELDS);
      actionTokens[at] = Math.min(sizes.maxActionTokens, answerLeft(slot.roles, slot.next));
      drawn.push(slot);
    });
    rowCount[member] = row;
    pickCount[member] = drawn.length;
    return drawn;
  });
  return any ? drawing : null;
}
