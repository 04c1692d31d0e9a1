/** Cell of one role in one arm: the losses of its tokens as chips, edited in place. */
import { Fragment } from 'react';
import type { Arm } from '../../../experiment/experiment';
import type { Role } from '../../../foundation/roles';
import { PopoverButton } from '../../kit/PopoverButton';
import { Chip } from '../tokens/Chip';
import { useHidden } from '../useHidden';
import { useLab } from '../useLab';
import { LossEditor } from './LossEditor';
import { lossesOn } from './lossesOn';

export function LossCell({ arm, role }: { arm: Arm; role: Role }) {
  const { desk } = useLab();
  const parts = lossesOn(arm, role);
  const words = parts.map(({ text }) => text).join(' ');
  const both = parts.length > 1 ? ' cell-both' : '';
  // The space is heard, not seen.
  const chips = parts.map(({ learning, text }) => (
    <Fragment key={text}>
      <Chip learning={learning}>{text}</Chip>{' '}
    </Fragment>
  ));
  if (useHidden('arms')) return <div className={`cell-button cell-fixed${both} column bare round`}>{chips}</div>;
  return (
    <PopoverButton
      label={`Loss on ${role} tokens, ${arm.name}`}
      words={chips}
      name={`${words}, ${arm.name}, ${role} tokens: change the loss`}
      className={`cell-button${both} column bare round`}
      testId={`cell-${arm.id}-${role}`}
    >
      {(close) => (
        <LossEditor
          arm={arm}
          role={role}
          onWrite={() => {
            // The desk gives the focus back to the cell when it closes.
            close();
            desk.open(arm.id, null, role);
          }}
        />
      )}
    </PopoverButton>
  );
}
