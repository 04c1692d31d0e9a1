/** Run or pause, one step, reset. A reset after live changes first asks what should become of them. */

import { useEffect, useRef, useState } from 'react';
import { changesMade } from '../../../store/edit/restart';
import { Button } from '../../kit/Button';
import { part } from '../../kit/part';
import { useLab, useLabState } from '../useLab';
import { RunButton } from './RunButton';

const ResetDialog = part('The question before a reset', () => import('./ResetDialog'), 'ResetDialog');

export function RunButtons() {
  const lab = useLab();
  const phase = useLabState((state) => state.phase);
  const invalid = useLabState((state) => state.problems.length > 0 && state.running === null);
  const changed = useLabState((state) => changesMade(state) > 0);
  const [asking, setAsking] = useState(false);
  const run = useRef<HTMLButtonElement>(null);
  const [resets, setResets] = useState(0);
  // Reset cannot be pressed twice, and what cannot be pressed cannot keep the focus. An open dialog would not let it go.
  // Before a run the one Run in sight may be that of the first visit's text.
  useEffect(() => {
    if (resets === 0) return;
    const seen = run.current?.checkVisibility({ visibilityProperty: true }) ? run.current : null;
    (seen ?? document.querySelector<HTMLElement>('.first-run-button'))?.focus();
  }, [resets]);
  const focusRun = () => setResets((count) => count + 1);
  const reset = () => {
    if (changed) return setAsking(true);
    lab.leaving.ask('Reset clears the screen.', () => {
      lab.editor.reset('values');
      focusRun();
    });
  };
  const again = phase === 'finished' || phase === 'failed' || phase === 'restored';
  const busy = phase === 'running' || phase === 'preparing';
  return (
    <>
      <RunButton ref={run} />
      <Button
        data-testid="step"
        disabled={busy || invalid || again || phase === 'stranded'}
        title={busy ? 'Pause first' : again ? 'Reset first' : undefined}
        onClick={() => lab.editor.step()}
      >
        Step
      </Button>
      <Button className="reset-button" data-testid="reset" disabled={phase === 'idle'} onClick={reset}>
        Reset
      </Button>
      {asking && <ResetDialog onClose={() => setAsking(false)} onReset={focusRun} />}
    </>
  );
}
