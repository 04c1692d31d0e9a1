/** Message that the browser refuses to keep the run or its policies: told once, in sight, while the browser refuses. */

import { useState } from 'react';
import { Button } from '../../kit/Button';
import { isHidden, placeLink } from '../../model/place';
import { useKeptRuns, useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';

export function NotKept() {
  const problem = useKeptRuns((state) => state.problem);
  const unkept = useLabState((state) => state.unkept);
  const hasRuns = useLabState((state) => !isHidden('runs', state.hidden));
  const isAtRuns = usePlace().place === 'runs';
  const words = problem ?? unkept;
  const [dismissed, dismiss] = useState<string | null>(null);
  // A refusal that comes again later is another one.
  if (words === null && dismissed !== null) dismiss(null);
  // The place of the runs says it itself.
  if (words === null || words === dismissed || (isAtRuns && problem !== null)) return null;
  return (
    <div className="message message-strong" role="alert" data-testid="message" data-kind="not-kept">
      <p>
        {problem !== null && <b>{unkept === null ? 'Runs are' : 'Runs and their policies are'} not being kept.</b>}{' '}
        {words}
      </p>
      <div className="dialog-buttons">
        {hasRuns && (
          <a className="button" href={placeLink('runs')}>
            See the kept runs
          </a>
        )}
        <Button className="button-quiet" onClick={() => dismiss(words)}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}
