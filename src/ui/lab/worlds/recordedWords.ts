/** Words under a recorded task: when it was, why it is shown, and which arm learns nothing from its own actions. */
import type { Arm } from '../../../experiment/experiment';
import { isApart, type RecordedEpisode, showRecorded } from '../../../store/recorded/recordedEpisodes';
import { joinNames } from '../../kit/format';
import { silentWords } from '../../kit/tokens/silent';

/** `end`: the run's last update where its end is shown, which may have a task of long before; else null. */
export function taskWords(task: readonly RecordedEpisode[], end: number | null): string {
  const [episode] = task;
  if (episode === undefined) return '';
  const chosen = isApart(task) ? ', where the arms differ' : '';
  const isEarlier = end !== null && episode.update < end - 1;
  return `Task at update ${episode.update}${chosen}${isEarlier ? `; “overall” is at ${end}` : ''}.`;
}

/** Named by the arm: in the same row observations may learn, and only actions are silent. */
export function silenceInWords(task: readonly RecordedEpisode[], arms: readonly Arm[]): string {
  const silent = arms.filter((arm) =>
    task.some((one) => one.arm === arm.id && silentWords(showRecorded(one).episode, arm) !== ''),
  );
  if (silent.length === 0) return '';
  const whose = silent.length === arms.length ? 'Each arm' : joinNames(silent.map(({ name }) => name));
  return `${whose}: all tries earned alike.`;
}
