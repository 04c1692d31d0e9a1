/**
 * Windows for inverse dynamics: of one turn of each episode, a sequence of its own
 *   <pad> before <pad> after <pad> action
 * with what the world said before the turn (its prompt, in the first), its answer, and the words of the action. The policy sees
 * only what came earlier, so an action after its answer is the only order in which it can know both. The separator `<pad>` tells
 * a window from an episode. Thoughts are left out: nothing in the world shows them.
 */
import { turnsOf } from '../../../environments/replay';
import { RandomStream, STREAM } from '../../../foundation/philox';
import type { Trajectories } from '../../play/trajectories';
import type { Member } from '../../population';
import { SEPARATOR } from '../separator';

export interface WindowOptions {
  readonly members: readonly Pick<Member, 'seed'>[];
  /** Weight η of each member, [P]. */
  readonly weights: readonly number[];
  readonly experimentSeed: number;
  readonly update: number;
}

export interface Windows {
  /** Weight of each token's loss, [P, B, T]: η over the number of a member's action tokens, 0 elsewhere. */
  readonly weight: Float32Array;
  /** Action tokens of each member's windows, [P]. */
  readonly counts: Float64Array;
}

/**
 * Draws the windows of a batch into `windows`, that of episode b in place b; empty where no turn of it has an answer and
 * fits, and for members without a weight. All arms of a seed take the same random numbers. An action has the role of an
 * observation here: it is scored over all words at temperature 1.
 */
export function drawWindows(windows: Trajectories, trajectories: Trajectories, options: WindowOptions): Windows {
  const { members, weights, experimentSeed, update } = options;
  const { count, context } = trajectories;
  const weight = new Float32Array(members.length * count * context);
  const counts = new Float64Array(members.length);
  windows.clear();
  members.forEach(({ seed }, member) => {
    if (weights[member] === 0) return;
    const targets: number[] = [];
    for (let slot = 0; slot < count; slot++) {
      const random = new RandomStream(experimentSeed, STREAM.inverse, seed, update, slot);
      targets.push(...layWindow(windows, trajectories, member * count + slot, random));
    }
    counts[member] = targets.length;
    for (const at of targets) weight[at] = weights[member] / targets.length;
  });
  return { weight, counts };
}

/** Lays the window of one episode; the places of its action's words in [P, B, T]. */
function layWindow(windows: Trajectories, trajectories: Trajectories, i: number, random: RandomStream): number[] {
  const { context, lengths } = trajectories;
  const tokens = trajectories.tokens.subarray(i * context, i * context + lengths[i]);
  const roles = trajectories.roles.subarray(i * context, i * context + lengths[i]);
  const spans = turnsOf(roles).map((turn, number, turns) => ({ ...turn, before: turns[number - 1]?.answer ?? 0 }));
  const fitting = spans.filter(
    ({ before, begin, action, answer, end }) => answer < end && 3 + begin - before + end - action <= context,
  );
  if (fitting.length === 0) return [];
  const { before, begin, action, answer, end } = fitting[random.below(fitting.length)];
  const prompt = [SEPARATOR, ...tokens.subarray(before, begin), SEPARATOR, ...tokens.subarray(answer, end), SEPARATOR];
  for (const token of prompt) windows.appendSaid(i, token, 'prompt');
  for (const token of tokens.subarray(action, answer)) windows.appendSaid(i, token, 'observation');
  return Array.from({ length: answer - action }, (_, at) => i * context + prompt.length + at);
}
