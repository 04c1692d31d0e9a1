/** Words for what an end of the run on screen would lose, and what stays. */
import type { Stake } from '../../../store/keep/leaving';
import { plural } from '../../kit/format';

export const curvesWords = (isUnkept: boolean): string =>
  isUnkept ? 'Its curves, which this browser does not keep, would be lost' : 'Its curves stay among the kept runs';

export function lossWords({ updates, imitated, isLive, isUnkept, keptUpdate }: Stake): string {
  if (updates === 0)
    return `The run on screen has imitated demonstrations for ${plural(imitated ?? 0, 'update')}, before its training. Nothing of that is kept yet: the imitation would be lost, and the next run begins it again.`;
  const curves = curvesWords(isUnkept);
  const policies =
    keptUpdate === null
      ? 'what its policies have learned would be lost, unless they can still be kept as it ends'
      : `it can be continued from there, from update ${keptUpdate} ${isLive && keptUpdate < updates ? 'at least: it is kept once more before it ends' : 'on'}`;
  const trained = `The run on screen has trained for ${plural(updates, 'update')}${isLive ? ' and can go on' : ''}.`;
  return isLive || keptUpdate !== null ? `${trained} ${curves}; ${policies}.` : `${trained} ${curves}.`;
}
