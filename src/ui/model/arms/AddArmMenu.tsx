/** Methods by family, one of which a new arm learns by, and policies that learn nothing. Loaded when first opened. */
import { useEffect, useRef } from 'react';
import { ObjectivePicker } from '../settings/ObjectivePicker';
import { useLab } from '../useLab';
import { AddFixed } from './AddFixed';
import { addMethodArm } from './edits';

interface Props {
  /** Name of the arm that it is like in all that is no part of a method; undefined where none learns. */
  readonly like: string | undefined;
  readonly onDone: () => void;
}

export function AddArmMenu({ like, onDone }: Props) {
  const lab = useLab();
  const place = useRef<HTMLDivElement>(null);
  // The popover was open before this menu arrived, so the menu takes the focus itself.
  useEffect(() => place.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  return (
    <div ref={place} className="stack">
      {like !== undefined && (
        <>
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
        </>
      )}
      <AddFixed onChosen={onDone} />
    </div>
  );
}
