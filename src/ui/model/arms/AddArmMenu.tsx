/** Methods by family, one of which a new arm learns by. Loaded when first opened. */
import { useEffect, useRef } from 'react';
import { ObjectivePicker } from '../settings/ObjectivePicker';
import { useLab } from '../useLab';
import { addMethodArm } from './edits';

interface Props {
  /** Name of the arm that it is like in all that is no part of a method. */
  readonly like: string;
  readonly onDone: () => void;
}

export function AddArmMenu({ like, onDone }: Props) {
  const lab = useLab();
  const place = useRef<HTMLDivElement>(null);
  // Its popover was opened before it had arrived.
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={place} className="arm-fixed-choices">
      <p className="small">
        Choose how it learns. Rewards, optimiser and sampling are those of “{like}”; to copy an arm, press its name.
      </p>
      <ObjectivePicker
        label="Method of the new arm"
        placeholder="Choose a method, or type"
        value=""
        testId="add-method"
        onChange={(objective) => {
          lab.editor.edit(addMethodArm(lab.store.getState().edited, objective));
          onDone();
        }}
      />
    </div>
  );
}
