/** Offers a sweep of an arm; the dialog is loaded when it is first opened. */
import { lazy, Suspense, useState } from 'react';
import type { Arm } from '../../experiment/experiment';

const SweepDialog = lazy(() => import('./SweepDialog').then((module) => ({ default: module.SweepDialog })));

export function SweepButton({ arm, onClose }: { arm: Arm; onClose: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" data-testid={`sweep-${arm.id}`} onClick={() => setOpen(true)}>
        Sweep λ…
      </button>
      {open && (
        <Suspense fallback={null}>
          <SweepDialog arm={arm} onClose={onClose} />
        </Suspense>
      )}
    </>
  );
}
