/** Whitening, the last step: advantages of the batch or of each task are brought to mean 0 and deviation 1. */
import { type AdvantageMember, trajectoriesOfGroup } from './member';
import type { Shaped } from './scores';
import { divisorOfSpread, reciprocal, spreadOf } from './spread';

/** True where each trajectory counts as one number, the mean of its action tokens. */
const isByTrajectory = ({ whitening }: AdvantageMember['options']): boolean =>
  whitening === 'trajectories' || whitening === 'trajectory-scale';

/** Whitens advantage [B,T] in place, in used trajectories; mean and deviation are those of action tokens alone. */
export function whiten(member: AdvantageMember, advantage: Float64Array, shaped: readonly Shaped[]): void {
  const { options, B, T, groups, isAction, isTarget } = member;
  if (options.whitening === 'none') return;
  const scopes =
    options.whitening === 'task-tokens'
      ? Array.from({ length: groups }, (_, g) => trajectoriesOfGroup(member, g))
      : [Array.from({ length: B }, (_, b) => b)];
  for (const scope of scopes) {
    const used = scope.filter((b) => shaped[b]?.used);
    const tokens = used.map((b) =>
      Array.from(advantage.subarray(b * T, (b + 1) * T)).filter((_, t) => isAction[b * T + t]),
    );
    const counted = tokens.filter((values) => values.length > 0);
    const values = isByTrajectory(options) ? counted.map((ofOne) => spreadOf(ofOne).mean) : counted.flat();
    const spread = spreadOf(values);
    const scale = reciprocal(divisorOfSpread(spread, options.whiteningDeviation, options.whiteningEpsilon));
    const subtracted = options.whitening === 'trajectory-scale' ? 0 : spread.mean;
    const added = options.whitening === 'tokens-keep-mean' ? spread.mean : 0;
    for (const b of used) {
      for (let at = b * T; at < (b + 1) * T; at++) {
        if (!isAction[at] && !(isTarget[at] && options.offMask === 'carried')) continue;
        advantage[at] = (advantage[at] - subtracted) * scale + added;
      }
    }
  }
}
