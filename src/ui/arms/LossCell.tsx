/** What tokens of one role do in one arm: shown as chips, edited in place. */
import { Fragment, useRef, useState } from 'react';
import type { Arm } from '../../experiment/experiment';
import type { Role } from '../../foundation/roles';
import { Popover } from '../Popover';
import { Chip } from '../tokens/Chip';
import { useHidden } from '../useHidden';
import { useLab } from '../useLab';
import { LossEditor } from './LossEditor';
import { lossesOn } from './lossesOn';

export function LossCell({ arm, role }: { arm: Arm; role: Role }) {
  const { desk } = useLab();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const parts = lossesOn(arm, role);
  const words = parts.map(({ text }) => text).join(' ');
  const both = parts.length > 1 ? ' cell-both' : '';
  // The space is heard, not seen.
  const chips = parts.map(({ learning, text }) => (
    <Fragment key={text}>
      <Chip learning={learning}>{text}</Chip>{' '}
    </Fragment>
  ));
  const write = () => {
    setOpen(false);
    // Here the desk gives the focus back when it closes.
    opener.current?.focus();
    desk.open(arm.id, null, role);
  };
  if (useHidden('arms')) return <div className={`cell-button cell-fixed${both}`}>{chips}</div>;
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={`cell-button${both}`}
        data-testid={`cell-${arm.id}-${role}`}
        aria-label={`${words}, ${arm.name}, ${role} tokens: change the loss`}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {chips}
      </button>
      {open && (
        <Popover label={`Loss on ${role} tokens, ${arm.name}`} opener={opener} onClose={() => setOpen(false)}>
          <LossEditor arm={arm} role={role} onWrite={write} />
        </Popover>
      )}
    </>
  );
}
