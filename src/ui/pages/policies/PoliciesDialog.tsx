/** Policies as files: a member of the run leaves as ONNX, and a file comes in as a start or as a reference. */
import { Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Policies } from '../../../store/policies';
import { Dialog } from '../../kit/Dialog';
import { part, useArrived } from '../../kit/part';
import { useLab } from '../../useLab';
import { KeptPolicies } from './KeptPolicies';
import { OpenPolicy } from './OpenPolicy';
import type { PoliciesRequest } from './openDialog';
import { SavePolicy } from './SavePolicy';
import { Watch } from './Watch';
import './policies.css';

const ReadText = part('Reading texts', () => import('./text/ReadText').then((module) => module.ReadText));

interface Props {
  readonly request: PoliciesRequest;
  readonly onClose: () => void;
}

export function PoliciesDialog({ request, onClose }: Props) {
  const lab = useLab();
  const policies = useArrived(lab.policies);
  // Reading ends with another request, and with nothing else: policies that arrive late must not close it.
  const [readingAt, setReadingAt] = useState<{ readonly request: PoliciesRequest } | null>(null);
  const isReading = readingAt?.request === request;
  const title = request === 'watch' ? 'A trained agent at work' : 'Policies as files';
  useEffect(() => {
    if (request === 'watch') void policies?.watch(lab.store.getState().edited.environment.id);
    else if (request !== null) policies?.open(request);
  }, [lab, policies, request]);
  return (
    <Dialog title={isReading ? 'Read a text with another model' : title} kind="wide" onClose={onClose}>
      {isReading ? (
        <Suspense>
          <ReadText />
        </Suspense>
      ) : (
        policies !== null && (
          <>
            <Problem policies={policies} />
            {request === 'watch' ? (
              <>
                <Trained policies={policies} />
                <details data-testid="watched-file">
                  <summary>Begin from it, or from another file</summary>
                  <Files policies={policies} onUsed={onClose} isWatched />
                </details>
              </>
            ) : (
              <Files policies={policies} onUsed={onClose} />
            )}
          </>
        )
      )}
      <div className="dialog-buttons">
        <button
          type="button"
          className="button"
          data-testid="read-with-another"
          onClick={() => setReadingAt(isReading ? null : { request })}
        >
          {isReading ? 'Back to policies' : 'Read a text with another model'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

interface FilesProps {
  readonly policies: Policies;
  readonly onUsed: () => void;
  /** The opened policy is at work elsewhere in the dialog. */
  readonly isWatched?: boolean;
}

function Files({ policies, onUsed, isWatched = false }: FilesProps) {
  return (
    <>
      <SavePolicy policies={policies} />
      <OpenPolicy policies={policies} onUsed={onUsed} isWatched={isWatched} />
      <KeptPolicies />
    </>
  );
}

/** The agent first; what it is as a file only then. */
function Trained({ policies }: { policies: Policies }) {
  const { opened, phase } = useStore(policies.store);
  if (opened !== null) return <Watch policies={policies} />;
  return <p aria-live="polite">{phase === 'idle' ? '' : 'Its policy is being read.'}</p>;
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
