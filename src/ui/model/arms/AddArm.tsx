/** Adds an arm by the method it learns by, or as a fixed policy. A copy of another arm is in that arm's own menu. */
import { Suspense } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { PopoverButton } from '../../kit/PopoverButton';
import { part } from '../../kit/part';
import { useLabState } from '../useLab';
import { canAddArm } from './edits';

const AddArmMenu = part('The list of methods', () => import('./AddArmMenu').then((module) => module.AddArmMenu));

export function AddArm() {
  const like = useLabState(({ edited }) => edited.arms.find((arm) => !isFixed(arm))?.name);
  const addable = useLabState((state) => canAddArm(state.edited));
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
          <Suspense fallback={null}>
            <AddArmMenu like={like} onDone={close} />
          </Suspense>
        )}
      </PopoverButton>
    </span>
  );
}
