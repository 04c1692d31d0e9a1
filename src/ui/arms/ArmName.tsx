/** An arm's name in its colour; pressing it offers to rename, duplicate, move or remove the arm. */
import { type FormEvent, useRef, useState } from 'react';
import type { Arm } from '../../experiment/experiment';
import { methodOf } from '../../experiment/method';
import { choosingObjective, type ObjectivePreset } from '../../experiment/objectivePresets';
import { isFixed } from '../../experiment/policyFiles';
import type { ArmColour } from '../armColour';
import { ObjectivePicker } from '../controls/ObjectivePicker';
import { Popover } from '../Popover';
import { SweepButton } from '../sweep/SweepButton';
import { useHidden } from '../useHidden';
import { useLab, useLabState } from '../useLab';
import { canAddArm, duplicateArm, moveArm, removeArm, renameArm, replaceArm } from './edits';

/** Names with more characters than this are set small: they take several lines. */
const LONG = 30;

export function ArmMark({ colour }: { colour: ArmColour | undefined }) {
  return (
    <svg className="arm-mark" width="16" height="12" aria-hidden="true">
      <line x1="0" x2="16" y1="6" y2="6" stroke={colour?.stroke} strokeWidth="4" strokeDasharray={colour?.dash} />
    </svg>
  );
}

export function ArmName({ arm, colour }: { arm: Arm; colour: ArmColour | undefined }) {
  const lab = useLab();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const full = useLabState(({ edited }) => !canAddArm(edited));
  const place = useLabState(({ edited: { arms } }) =>
    arms[0]?.id === arm.id ? 'first' : arms.at(-1)?.id === arm.id ? 'last' : 'between',
  );
  const isRun = useLabState(({ running }) => running !== null);
  const only = useLabState(({ edited }) => edited.arms.length === 1);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  const edit = (change: typeof duplicateArm) => {
    close();
    lab.editor.edit(change(lab.store.getState().edited, arm.id), arm.id);
    // Once the rows have moved; one that is gone takes no focus.
    setTimeout(() => opener.current?.focus());
  };
  const remove = () => {
    edit(removeArm);
    // Its button goes with it.
    document.getElementById('arms-title')?.focus();
  };
  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name !== '') lab.editor.edit(renameArm(lab.store.getState().edited, arm.id, name));
    close();
  };
  const method = methodOf(arm);
  const learn = (objective: ObjectivePreset) =>
    lab.editor.edit(replaceArm(lab.store.getState().edited, arm.id, (now) => choosingObjective(now, objective)));
  const words = (
    <>
      <ArmMark colour={colour} />
      <span className={`arm-name-text${arm.name.length > LONG ? ' arm-name-long' : ''}`}>
        {arm.name}
        {method !== '' && <span className="arm-method small soft">{method}</span>}
      </span>
    </>
  );
  if (useHidden('arms')) return <span className="arm-name arm-name-fixed">{words}</span>;
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="arm-name"
        aria-expanded={open}
        aria-label={`${arm.name}${method === '' ? '' : `, ${method}`}. Rename, change its method, duplicate, move or remove`}
        onClick={() => setOpen(!open)}
      >
        {words}
      </button>
      {open && (
        <Popover label={`Arm ${arm.name}`} opener={opener} onClose={() => setOpen(false)}>
          <form className="arm-form" onSubmit={rename}>
            <label>
              Name
              <input className="field" name="name" defaultValue={arm.name} maxLength={60} required autoComplete="off" />
            </label>
            <button type="submit" className="button">
              Rename
            </button>
          </form>
          {method !== '' && (
            <div className="arm-learns">
              <span className="small soft">Learns by</span>
              <ObjectivePicker
                label={`Method of ${arm.name}`}
                value={arm.objective}
                testId={`method-of-${arm.id}`}
                onChange={learn}
              />
            </div>
          )}
          <div className="dialog-buttons">
            <button
              type="button"
              className="button"
              data-testid={`up-${arm.id}`}
              disabled={place === 'first' || only}
              onClick={() => edit((experiment, id) => moveArm(experiment, id, -1))}
            >
              Move up
            </button>
            <button
              type="button"
              className="button"
              data-testid={`down-${arm.id}`}
              disabled={place === 'last' || only}
              onClick={() => edit((experiment, id) => moveArm(experiment, id, 1))}
            >
              Move down
            </button>
            <button type="button" className="button" disabled={full} onClick={() => edit(duplicateArm)}>
              Duplicate
            </button>
            <button type="button" className="button" disabled={only} onClick={remove}>
              Remove
            </button>
            {!isFixed(arm) && (
              <SweepButton arm={arm} className="button" testId={`sweep-${arm.id}`} onClose={close}>
                Sweep λ…
              </SweepButton>
            )}
          </div>
          {isRun && (
            <p className="small soft">
              Duplicate copies the arm as it is now, changes made on the way included, and starts again. To keep this
              run, branch the arm under the curves.
            </p>
          )}
        </Popover>
      )}
    </>
  );
}
