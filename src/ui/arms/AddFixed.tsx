/** Offers policies that play as an arm of their own: those that come with the lab for this world, and those opened here. */
import { useRef, useState } from 'react';
import { SHIPPED } from '../../experiment/shippedPolicies';
import { policyName } from '../../store/lab';
import { Popover } from '../Popover';
import { openPolicies } from '../policies/openDialog';
import { SHIPPED_WORDS } from '../policies/shippedWords';
import { useLab, useLabState } from '../useLab';
import { addFixedArm, canAddArm } from './edits';

export function AddFixed() {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const addable = useLabState((state) => canAddArm(state.edited));
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <span className="add-fixed">
      <button
        ref={opener}
        type="button"
        className="button button-quiet small"
        disabled={!addable}
        aria-expanded={open}
        data-testid="add-fixed"
        onClick={() => setOpen(!open)}
      >
        Add a fixed policy
      </button>
      {open && (
        <Popover label="Add a fixed policy" opener={opener} onClose={() => setOpen(false)}>
          <Choices onChosen={close} />
        </Popover>
      )}
    </span>
  );
}

function Choices({ onChosen }: { onChosen: () => void }) {
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
    <div className="arm-fixed-choices">
      <p className="small">It plays the same tasks as the other arms and learns nothing: a baseline.</p>
      {shipped.map(({ sha256, kind }) => (
        <button
          key={sha256}
          type="button"
          className="button"
          data-testid={`add-fixed-${kind}`}
          onClick={() => add(sha256, SHIPPED_WORDS[kind].short)}
        >
          {SHIPPED_WORDS[kind].long}
        </button>
      ))}
      {own.map((hash) => {
        const name = policyName({ policyFiles }, hash);
        return (
          <button key={hash} type="button" className="button" onClick={() => add(hash, name)}>
            {name}
          </button>
        );
      })}
      <button
        type="button"
        className="button button-quiet"
        onClick={() => {
          onChosen();
          openPolicies();
        }}
      >
        Open a file
      </button>
    </div>
  );
}
