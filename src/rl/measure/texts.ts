/** The texts that policies write, read by their world (Environment.texts): shares over all turns of a member's episodes. */
import type { TextWorld } from '../../environments/environment';
import { actionsOf } from '../../environments/replay';
import type { Trajectories } from '../play/trajectories';

/** [P] each; NaN where actions are no texts, and of repeated words where there is no word. */
export type TextShares = Readonly<Record<'takenUp' | 'saidBack' | 'repeatedWords', Float64Array>>;

export function textShares(trajectories: Trajectories, texts: TextWorld | undefined): TextShares {
  const { members, count, context, lengths, tokens, roles } = trajectories;
  const zeros = (): Float64Array => new Float64Array(members);
  const [takenUp, saidBack, repeated, turns, withWords] = [zeros(), zeros(), zeros(), zeros(), zeros()];
  for (let i = 0; i < members * count && texts !== undefined; i++) {
    const member = Math.floor(i / count);
    const [first, end] = [i * context, i * context + lengths[i]];
    actionsOf(tokens.subarray(first, end), roles.subarray(first, end)).forEach((action, turn) => {
      const reading = texts.read(trajectories.taskOf(i), turn, action);
      turns[member] += 1;
      takenUp[member] += Number(reading.takesUp);
      saidBack[member] += Number(reading.saysBack);
      if (Number.isNaN(reading.repeated)) return;
      withWords[member] += 1;
      repeated[member] += reading.repeated;
    });
  }
  // 0/0 is NaN, which is what "undefined" means here.
  const over = (sums: Float64Array, of: Float64Array): Float64Array => sums.map((sum, member) => sum / of[member]);
  return { takenUp: over(takenUp, turns), saidBack: over(saidBack, turns), repeatedWords: over(repeated, withWords) };
}
