/** Policies as files: a member of the run leaves as ONNX, and a file comes in as a start or as a reference. */
import { Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Policies } from '../../store/policies';
import { Dialog } from '../dialogs/Dialog';
import { part, useArrived } from '../kit/part';
import { useLab } from '../useLab';
import { KeptPolicies } from './KeptPolicies';
import { OpenPolicy } from './OpenPolicy';
import type { PoliciesRequest } from './openDialog';
import { SavePolicy } from './SavePolicy';
import './policies.css';

const ReadText = part('Reading texts', () => import('./text/ReadText').then((module) => module.ReadText));

interface Props {
  readonly request: PoliciesRequest;
  readonly onClose: () => void;
}

export function PoliciesDialog({ request, onClose }: Props) {
  const lab = useLab();
  const policies = useArrived(lab.policies);
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    setReading(false);
    if (request === 'watch') void policies?.watch(lab.store.getState().edited.environment.id);
    else if (request !== null) policies?.open(request);
  }, [lab, policies, request]);
  return (
    <Dialog title={isReading ? 'Read a text with another model' : 'Policies as files'} kind="wide" onClose={onClose}>
      {isReading ? (
        <Suspense>
          <ReadText />
        </Suspense>
      ) : (
        policies !== null && (
          <>
            <Problem policies={policies} />
            <SavePolicy policies={policies} />
            <OpenPolicy policies={policies} onUsed={onClose} />
            <KeptPolicies />
          </>
        )
      )}
      <div className="dialog-buttons">
        <button type="button" className="button" data-testid="read-with-another" onClick={() => setReading(!isReading)}>
          {isReading ? 'Back to policies' : 'Read a text with another model'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Problem({ policies }: { policies: Policies }) {
  const problem = useStore(policies.store, (state) => state.problem);
  if (problem === null) return null;
  return (
    <p role="alert" className="policies-problem" data-testid="policy-problem">
      {problem.what} {problem.advice} The lab is as it was.
    </p>
  );
}
