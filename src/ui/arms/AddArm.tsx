/** Adds an arm by the method it learns by. A copy of another arm is in that arm's own menu. */
import { useRef, useState } from 'react';
import { isFixed } from '../../experiment/policyFiles';
import { ObjectivePicker } from '../controls/ObjectivePicker';
import { Popover } from '../Popover';
import { useLab, useLabState } from '../useLab';
import { addMethodArm, canAddArm } from './edits';

export function AddArm() {
  const lab = useLab();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const like = useLabState(({ edited }) => edited.arms.find((arm) => !isFixed(arm))?.name);
  const addable = useLabState((state) => canAddArm(state.edited)) && like !== undefined;
  return (
    <span className="add-fixed">
      <button
        ref={opener}
        type="button"
        className="button button-quiet small"
        disabled={!addable}
        aria-expanded={open}
        data-testid="add-arm"
        onClick={() => setOpen(!open)}
      >
        Add an arm
      </button>
      {open && (
        <Popover label="Add an arm" opener={opener} onClose={() => setOpen(false)}>
          <div className="arm-fixed-choices">
            <p className="small">
              Choose how it learns. Rewards, optimiser and sampling are those of “{like}”; to copy an arm, press its
              name.
            </p>
            <ObjectivePicker
              label="Method of the new arm"
              placeholder="Choose a method, or type"
              value=""
              testId="add-method"
              onChange={(objective) => {
                lab.editor.edit(addMethodArm(lab.store.getState().edited, objective));
                setOpen(false);
                opener.current?.focus();
              }}
            />
          </div>
        </Popover>
      )}
    </span>
  );
}
