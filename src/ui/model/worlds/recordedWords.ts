/** Words on a recorded task: when it was, why it is shown, and how its arm does overall. */
import { isApart, type RecordedEpisode } from '../../../measured/recordedEpisodes';
import { formatPercent } from '../../kit/format';

export function taskWords(task: readonly RecordedEpisode[]): string {
  const [episode] = task;
  return episode === undefined ? '' : `update ${episode.update}${isApart(task) ? ', arms differ' : ''}`;
}

/** `end`: the run's last update where its end is shown, which may have a task of long before; else null. */
export function overallWords(
  share: number | null,
  { update }: Pick<RecordedEpisode, 'update'>,
  end: number | null,
): string {
  const isEarlier = end !== null && update < end - 1;
  return share === null ? '' : `all tasks ${formatPercent(share)}${isEarlier ? ` at ${end}` : ''}`;
}
