/** Opens the dialog of policies, also for a file that is dropped anywhere on the page. What it shows is loaded then. */
import { Suspense, useEffect, useState } from 'react';
import { part } from '../kit/part';
import { useHidden } from '../useHidden';
import { listenForPolicies, openPolicies, type PoliciesRequest } from './openDialog';

const PoliciesDialog = part('The policies', () => import('./PoliciesDialog').then((module) => module.PoliciesDialog));

export function PoliciesButton() {
  const [opened, setOpened] = useState<{ request: PoliciesRequest } | null>(null);
  useEffect(() => listenForPolicies((request) => setOpened({ request })), []);
  useDrop();
  const hidden = useHidden('policies');
  return (
    <>
      {!hidden && (
        <button type="button" className="button" data-testid="policies" onClick={() => openPolicies()}>
          Policies
        </button>
      )}
      {opened !== null && (
        <Suspense>
          <PoliciesDialog request={opened.request} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
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
