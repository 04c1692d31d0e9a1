/** Offers a sweep of an arm; the dialog is loaded when it is first opened. */
import { type ReactNode, useState } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Arm } from '../../../experiment/experiment';
import { part } from '../../kit/part';
import { useLabState } from '../useLab';

const SweepDialog = part('The sweep’s dialog', () => import('./SweepDialog'), 'SweepDialog');

interface Props {
  readonly arm: Arm;
  readonly className: string;
  readonly testId: string;
  readonly children: ReactNode;
  readonly onClose?: () => void;
}

export function SweepButton({ arm, className, testId, children, onClose }: Props) {
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onClose?.();
  };
  return (
    <>
      <button type="button" className={className} data-testid={testId} onClick={() => setOpen(true)}>
        {children}
      </button>
      {open && <SweepDialog arm={arm} onClose={close} />}
    </>
  );
}

/** Button of a sweep of the first arm that predicts, or else of the first that learns; nothing where none does. */
export function SweepASetting({ testId, className = 'button' }: Pick<Props, 'testId'> & { className?: string }) {
  const arm = useLabState(({ edited }) => {
    const learning = edited.arms.filter((one) => !isFixed(one));
    return learning.find(({ ce }) => ce.observation > 0) ?? learning[0];
  });
  return arm === undefined ? null : <SweepButton {...{ arm, className, testId }}>Sweep a setting…</SweepButton>;
}
