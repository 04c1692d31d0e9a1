/** Methods by family, one of which a new arm learns by, and policies that learn nothing. Loaded when first opened. */
import { useEffect, useRef } from 'react';
import { SHIPPED } from '../../../experiment/shippedPolicies';
import { policyName } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { openPolicies } from '../policies/openPolicies';
import { SHIPPED_WORDS } from '../policies/shippedWords';
import { ObjectivePicker } from '../settings/ObjectivePicker';
import { useLab, useLabState } from '../useLab';
import { addFixedArm, addMethodArm } from './edits';

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

/** Offers policies that play as an arm of their own: those that come with the lab for this world, and those opened here. */
function AddFixed({ onChosen }: { onChosen: () => void }) {
  const lab = useLab();
  const environment = useLabState((state) => state.edited.environment.id);
  const policyFiles = useLabState((state) => state.policyFiles);
  const shipped = SHIPPED.policies.filter((one) => one.environment === environment);
  const own = Object.keys(policyFiles).filter((hash) => shipped.every(({ sha256 }) => sha256 !== hash));
  const add = (sha256: string, name: string) => {
    lab.editor.edit(addFixedArm(lab.store.getState().edited, sha256, name));
    onChosen();
  };
  return (
    <div className="stack">
      <p className="small">Or a fixed policy, which plays the same tasks and learns nothing: a baseline.</p>
      {shipped.map(({ sha256, kind }) => (
        <Button key={sha256} data-testid={`add-fixed-${kind}`} onClick={() => add(sha256, SHIPPED_WORDS[kind].short)}>
          {SHIPPED_WORDS[kind].long}
        </Button>
      ))}
      {own.map((hash) => {
        const name = policyName({ policyFiles }, hash);
        return (
          <Button key={hash} onClick={() => add(hash, name)}>
            {name}
          </Button>
        );
      })}
      <Button
        className="button-quiet"
        onClick={() => {
          onChosen();
          openPolicies();
        }}
      >
        Open a file
      </Button>
    </div>
  );
}
