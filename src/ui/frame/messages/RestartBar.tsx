/**
 * Edits that a run cannot take up while training, and the choice between a restart and the run: at places where one edits. On a
 * phone it is one line, whose “i” has the rest.
 */

import { useMemo } from 'react';
import type { Arm } from '../../../experiment/experiment';
import type { SettingDifference } from '../../../store/edit/differences';
import { changesMade } from '../../../store/edit/restart';
import { isLive, pendingDifferences } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { Caption } from '../../kit/Caption';
import { joinNames } from '../../kit/format';
import { usePhone } from '../../kit/useWide';
import type { PlaceId } from '../../model/place';
import { curvesWords } from '../../model/run/lossWords';
import { nameOfValue } from '../../model/settings/valueNames';
import { useDesk } from '../../model/useDesk';
import { useKeptRuns, useLab, useLabParts, useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';
import { armListWords } from './armListWords';

const SHOWN = 3;

const EDITING: readonly PlaceId[] = ['lab', 'settings', 'world', 'loss'];

export function RestartBar() {
  const lab = useLab();
  const { edited, running, told, phase, marks } = useLabParts('edited', 'running', 'told', 'phase', 'marks');
  const changes = useLabState(changesMade);
  const invalid = useLabState((state) => state.problems.length > 0);
  const differences = useMemo(
    () => pendingDifferences({ edited, running, told, phase, marks }),
    [edited, running, told, phase, marks],
  );
  const isKept = useKeptRuns(({ shown, problem }) => shown !== null && problem === null);
  const isPhone = usePhone();
  const { place } = usePlace();
  const isWriting = useDesk(({ draft }) => draft !== null);
  const [first] = differences;
  if (first === undefined || !(isWriting || EDITING.includes(place))) return null;
  const words = summaries(differences, running?.arms ?? [], edited.arms);
  const rest = words.length - SHOWN;
  const live = isLive({ phase, running });
  const head = (
    <>
      <b>{live ? 'This waits for a restart:' : 'Changed for the next run:'}</b>{' '}
      {edited.preset === running?.preset ? '' : `another experiment, “${edited.title}”: `}
      {words.slice(0, SHOWN).join('; ')}
      {rest > 0 ? `; and ${rest} more` : ''}.
    </>
  );
  const after = [
    live
      ? `${first.restart ?? ''} Until then the run on screen goes on. ${curvesWords(!isKept)}.`
      : `A restart trains ${edited.arms.length === 1 ? 'the arm' : 'all arms'} from the first update; the curves stay until you choose.`,
    changes === 0
      ? ''
      : `A restart begins from the values as they are now: the ${changes === 1 ? 'change' : `${changes} changes`} made while training will not be replayed.`,
    changes > 0 && edited.timeline.length > 0 ? 'What was planned stays.' : '',
  ].join(' ');
  // On a phone Run stands below, and one button of the two is the primary one.
  const isRunBelow = isPhone && phase !== 'running' && phase !== 'preparing';
  return (
    <div className="message message-strong message-restart" data-testid="message" data-kind="restart">
      {isPhone ? (
        <Caption said={head} about="what waits">
          {after}
        </Caption>
      ) : (
        <p>
          {head} {after}
        </p>
      )}
      <div className="dialog-buttons">
        <Button
          className={isRunBelow ? '' : 'button-primary'}
          data-testid="restart"
          aria-label="Restart with these"
          disabled={invalid}
          onClick={() => lab.editor.begin(true)}
        >
          {isPhone ? 'Restart' : 'Restart with these'}
        </Button>
        <Button data-testid="keep" aria-label="Keep the current run" onClick={() => lab.editor.keepCurrentRun()}>
          {isPhone ? 'Keep' : 'Keep the current run'}
        </Button>
      </div>
    </div>
  );
}

/** Each setting once, with the arms it differs in where that is not all of them. */
function summaries(differences: readonly SettingDifference[], before: readonly Arm[], arms: readonly Arm[]): string[] {
  const grouped = new Map<string, string[]>();
  for (const { path, label, from, to, arm } of differences) {
    if (path === 'timeline' && arm === null) {
      grouped.set('what is changed on the way, as marked under the curves', []);
      continue;
    }
    if (path === 'arms' && arm === null) {
      grouped.set(armListWords(before, arms), []);
      continue;
    }
    const words = `${label} ${nameOfValue(path, from)} → ${nameOfValue(path, to)}`;
    const names = grouped.get(words) ?? [];
    grouped.set(words, arm === null ? names : [...names, arms.find(({ id }) => id === arm)?.name ?? arm]);
  }
  return [...grouped].map(([words, names]) =>
    names.length === 0 || names.length === arms.length ? words : `${words} (${joinNames(names)})`,
  );
}
