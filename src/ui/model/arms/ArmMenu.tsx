/** An arm's menu: rename, give another method, move, duplicate, remove, sweep. Loaded when first opened. */

import type { FormEvent, RefObject } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Arm } from '../../../experiment/experiment';
import { choosingObjective, type ObjectivePreset } from '../../../experiment/objectives/objectivePresets';
import { Button } from '../../kit/Button';
import { Popover } from '../../kit/Popover';
import { ObjectivePicker } from '../settings/ObjectivePicker';
import { SweepButton } from '../sweep/SweepButton';
import { useLab, useLabState } from '../useLab';
import { canAddArm, duplicateArm, moveArm, removeArm, renameArm, replaceArm } from './edits';

interface Props {
  readonly arm: Arm;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

export function ArmMenu({ arm, opener, onClose }: Props) {
  const lab = useLab();
  const full = useLabState(({ edited }) => !canAddArm(edited));
  const place = useLabState(({ edited: { arms } }) =>
    arms[0]?.id === arm.id ? 'first' : arms.at(-1)?.id === arm.id ? 'last' : 'between',
  );
  const only = useLabState(({ edited }) => edited.arms.length === 1);
  const isRun = useLabState(({ running }) => running !== null);
  const close = () => {
    onClose();
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
    // The button of the menu goes with the arm.
    document.getElementById('arms-title')?.focus();
  };
  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name !== '') lab.editor.edit(renameArm(lab.store.getState().edited, arm.id, name));
    close();
  };
  const learn = (objective: ObjectivePreset) =>
    lab.editor.edit(replaceArm(lab.store.getState().edited, arm.id, (now) => choosingObjective(now, objective)));
  return (
    <Popover label={`Arm ${arm.name}`} opener={opener} onClose={onClose}>
      <form className="arm-form line" onSubmit={rename}>
        <label className="stack close grow">
          Name
          <input className="field" name="name" defaultValue={arm.name} maxLength={60} required autoComplete="off" />
        </label>
        <Button type="submit">Rename</Button>
      </form>
      {!isFixed(arm) && (
        <div className="stack close padded">
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
        <Button
          data-testid={`up-${arm.id}`}
          disabled={place === 'first' || only}
          onClick={() => edit((experiment, id) => moveArm(experiment, id, -1))}
        >
          Move up
        </Button>
        <Button
          data-testid={`down-${arm.id}`}
          disabled={place === 'last' || only}
          onClick={() => edit((experiment, id) => moveArm(experiment, id, 1))}
        >
          Move down
        </Button>
        <Button disabled={full} onClick={() => edit(duplicateArm)}>
          Duplicate
        </Button>
        <Button disabled={only} onClick={remove}>
          Remove
        </Button>
        {!isFixed(arm) && (
          <SweepButton arm={arm} className="button" testId={`sweep-${arm.id}`} onClose={close}>
            Sweep λ…
          </SweepButton>
        )}
      </div>
      {isRun && (
        <p className="small soft">
          Duplicate copies the arm as it is now, changes made on the way included, and starts again. To keep this run,
          branch the arm under the curves.
        </p>
      )}
    </Popover>
  );
}
