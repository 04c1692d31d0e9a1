/** Adds an arm by the method it learns by. A copy of another arm is in that arm's own menu. */
import { isFixed } from '../../experiment/policyFiles';
import { ObjectivePicker } from '../controls/ObjectivePicker';
import { PopoverButton } from '../PopoverButton';
import { useLab, useLabState } from '../useLab';
import { addMethodArm, canAddArm } from './edits';

export function AddArm() {
  const lab = useLab();
  const like = useLabState(({ edited }) => edited.arms.find((arm) => !isFixed(arm))?.name);
  const addable = useLabState((state) => canAddArm(state.edited)) && like !== undefined;
  return (
    <span className="popover-place">
      <PopoverButton
        label="Add an arm"
        words="Add an arm"
        className="button button-quiet small"
        testId="add-arm"
        disabled={!addable}
      >
        {(close) => (
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
                close();
              }}
            />
          </div>
        )}
      </PopoverButton>
    </span>
  );
}
