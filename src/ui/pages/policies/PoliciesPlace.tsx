/** The place of policies: a dialog over the place before it. A file that is dropped anywhere on the page opens it, too. */
import { Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { part } from '../../kit/part';
import { openPolicies, policiesRequest } from './openDialog';

const PoliciesDialog = part('The policies', () => import('./PoliciesDialog').then((module) => module.PoliciesDialog));

/** `onClose` leads back. */
export function PoliciesPlace({ isHere, onClose }: { isHere: boolean; onClose: () => void }) {
  const request = useStore(policiesRequest, (state) => state.request);
  useDrop();
  if (!isHere) return null;
  const close = () => {
    policiesRequest.setState({ request: null, isAsked: false });
    onClose();
  };
  return (
    <Suspense>
      <PoliciesDialog request={request} onClose={close} />
    </Suspense>
  );
}

/** A file dropped elsewhere would take the place of the page. */
function useDrop(): void {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      openPolicies(file);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}
