/** What tokens of one role do in one arm: shown as chips, edited in place. */
import { useRef, useState } from 'react';
import type { Arm } from '../../experiment/experiment';
import type { Role } from '../../foundation/roles';
import { formatSetting } from '../format';
import { Popover } from '../Popover';
import { Chip } from '../tokens/Chip';
import { useHidden } from '../useHidden';
import { LossEditor } from './LossEditor';

export function LossCell({ arm, role }: { arm: Arm; role: Role }) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const pg = arm.pg[role];
  const ce = arm.ce[role];
  const words = [
    ...(pg > 0 ? [`policy ${formatSetting(pg)}`] : []),
    ...(ce > 0 ? [`predict ${formatSetting(ce)}`] : []),
    ...(pg > 0 || ce > 0 ? [] : ['masked']),
  ].join(' ');
  const both = pg > 0 && ce > 0 ? ' cell-both' : '';
  const chips = (
    <>
      {pg > 0 && <Chip learning="policy">policy {formatSetting(pg)}</Chip>}
      {ce > 0 && <Chip learning="predict">predict {formatSetting(ce)}</Chip>}
      {pg <= 0 && ce <= 0 && <Chip learning="veiled">masked</Chip>}
    </>
  );
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
          <LossEditor arm={arm} role={role} />
        </Popover>
      )}
    </>
  );
}
