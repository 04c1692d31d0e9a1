/** The strip's popover: a branch, a plan, or one change. Loaded when the first of them is opened. */

import type { RefObject } from 'react';
import type { Change, Experiment } from '../../../../experiment/experiment';
import { roomOf } from '../../../../experiment/timeline';
import { openFrom } from '../../../../store/edit/interventions';
import { Button } from '../../../kit/Button';
import { plural } from '../../../kit/format';
import { Popover } from '../../../kit/Popover';
import { changeInWords, changeWords, nameOfChange } from '../../../model/changeWords';
import { useHidden } from '../../../model/useHidden';
import { useLabState } from '../../../model/useLab';
import { BranchForm } from './BranchForm';
import { ChangeForm } from './ChangeForm';
import { PlanChange } from './PlanChange';

/** An array: of changes that share a mark. */
export type OpenedStrip = 'branch' | 'plan' | Change | readonly Change[];

interface Props {
  readonly opened: OpenedStrip;
  readonly experiment: Experiment;
  readonly opener: RefObject<HTMLButtonElement | null>;
  /** Called when focus or a press went elsewhere. */
  readonly onLeave: () => void;
  /** Called when what it was opened for is done. */
  readonly onDone: () => void;
  readonly onEdit: (next: Change) => void;
}

export function StripPopover({ opened, experiment, opener, onLeave, onDone, onEdit }: Props) {
  const isFixed = useHidden('settings');
  const from = useLabState((state) => (state.running === null ? 0 : openFrom(state)));
  if (opened === 'branch') {
    return (
      <Popover label="Branch an arm" beside=".screen-charts" opener={opener} onClose={onLeave}>
        <BranchForm onDone={onDone} />
      </Popover>
    );
  }
  if (opened === 'plan') {
    return (
      <Popover label="Plan a change" beside=".screen-charts" opener={opener} onClose={onLeave}>
        <PlanChange />
      </Popover>
    );
  }
  if (isSeveral(opened)) {
    return (
      <Popover key="several" label={plural(opened.length, 'change')} opener={opener} onClose={onLeave}>
        <ul className="stack">
          {opened.map((change) => (
            <li key={`${change.arm} ${change.setting} ${change.update}`}>
              {isFixed ? (
                <span className="small">{changeInWords(experiment, change)}</span>
              ) : (
                <Button className="button-quiet small" onClick={() => onEdit(change)}>
                  {changeInWords(experiment, change)}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Popover>
    );
  }
  const words = changeWords(experiment, opened);
  return (
    <Popover key="one" label={changeInWords(experiment, opened)} opener={opener} onClose={onLeave}>
      <p className="small">
        <b>{nameOfChange(words)}</b>, {words.who}
      </p>
      <ChangeForm
        change={opened}
        room={roomOf(experiment, opened)}
        hasActed={opened.update < from}
        onEdit={onEdit}
        onDone={onDone}
      />
    </Popover>
  );
}

/** True of changes that share a mark. */
const isSeveral = (opened: OpenedStrip): opened is readonly Change[] => Array.isArray(opened);
