/**
 * Rows that a teacher reads, and the tokens of a batch that learn from them. The reference policy reads the episode alone.
 * The policy as its own teacher (SDPO, arXiv 2601.20802) reads
 *   <pad> success <pad> episode
 * where the success is the shortest other episode of the group that succeeded, without the prompt, which is the episode's
 * own, and `<pad>` is the separator. The end of an episode is left out where it does not fit, and the whole of it where
 * nothing else succeeded.
 */

import { isDrawn, ROLE } from '../../../foundation/roles';
import type { DivergenceName, TeacherName } from '../../../hyperparameters/distillation';
import type { Trajectories } from '../../play/trajectories';
import { SEPARATOR } from '../separator';

/** An arm's distillation. */
export interface ArmDistillation {
  /** Weight δ; 0 for none. */
  readonly weight: number;
  readonly teacher: TeacherName;
  readonly divergence: DivergenceName;
}

export interface Teaching {
  /** Weight of each token's divergence, [P, B, T]: δ over the number of a member's tokens that are taught, 0 elsewhere. */
  readonly weight: Float32Array;
  /** Tokens that are taught, [P]. */
  readonly counts: Float64Array;
  /** Tokens that the teacher reads before each episode, [P, B]. */
  readonly offsets: Int32Array;
}

/**
 * Lays what is taught into `student`, and what the teacher reads into `teacher`: episodes in their own places, empty where
 * nothing is taught. weights: δ of each member, 0 for those that this teacher does not teach.
 */
export function layTeaching(
  student: Trajectories,
  teacher: Trajectories,
  trajectories: Trajectories,
  options: { readonly weights: readonly number[]; readonly teacher: TeacherName; readonly groupSize: number },
): Teaching {
  const { count, context, lengths, roles, replayed } = trajectories;
  const { weights, groupSize } = options;
  const weight = new Float32Array(weights.length * count * context);
  const counts = new Float64Array(weights.length);
  const offsets = new Int32Array(weights.length * count);
  student.clear();
  teacher.clear();
  weights.forEach((delta, member) => {
    if (delta === 0) return;
    const taught: number[] = [];
    for (let i = member * count; i < (member + 1) * count; i++) {
      // Another policy drew what is replayed.
      if (replayed.has(i)) continue;
      const telling = options.teacher === 'reference' ? [] : tellingOf(trajectories, i, groupSize);
      if (telling === null) continue;
      const length = Math.min(lengths[i], context - telling.length);
      const first = i * context;
      const drawn = Array.from({ length }, (_, t) => first + t).filter((at) => isDrawn(roles[at]));
      if (drawn.length === 0) continue;
      taught.push(...drawn);
      offsets[i] = telling.length;
      layEpisode(student, trajectories, i, [], length);
      layEpisode(teacher, trajectories, i, telling, length);
    }
    counts[member] = taught.length;
    for (const at of taught) weight[at] = delta / taught.length;
  });
  return { weight, counts, offsets };
}

/** Success that a teacher is told before an episode; null where no other episode of the group succeeded. */
function tellingOf(
  { count, context, lengths, roles, successes, tokens, replayed }: Trajectories,
  i: number,
  groupSize: number,
) {
  const first = i - ((i % count) % groupSize);
  const solved = Array.from({ length: groupSize }, (_, k) => first + k)
    .filter((other) => other !== i && successes[other] === 1 && !replayed.has(other))
    .sort((a, b) => lengths[a] - lengths[b] || a - b);
  const [shortest] = solved;
  if (shortest === undefined) return null;
  const begin = shortest * context;
  const end = begin + lengths[shortest];
  const opening = roles.subarray(begin, end).findIndex((role) => isDrawn(role));
  return [SEPARATOR, ...tokens.subarray(begin + Math.max(opening, 0), end), SEPARATOR];
}

/** Copies the first `length` tokens of an episode behind the words of `telling`. */
function layEpisode(to: Trajectories, from: Trajectories, i: number, telling: readonly number[], length: number): void {
  const { context } = from;
  const [begin, into] = [i * context, i * context + telling.length];
  to.tokens.set(telling, i * context);
  to.roles.fill(ROLE.prompt, i * context, into);
  to.legalSets.fill(0, i * context, into);
  for (const name of ['tokens', 'roles', 'legalSets'] as const) {
    to[name].set(from[name].subarray(begin, begin + length), into);
  }
  to.lengths[i] = telling.length + length;
}
