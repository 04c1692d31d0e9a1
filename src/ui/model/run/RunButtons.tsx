/** Run or pause, one step, reset. A reset after live changes first asks what should become of them. */

import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { changesMade } from '../../../store/edit/restart';
import { Button } from '../../kit/Button';
import { Dialog } from '../../kit/Dialog';
import { useLab, useLabState } from '../useLab';
import { lossWords } from './lossWords';
import { RunButton } from './RunButton';

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

type Way = 'values' | 'timeline';

const WAYS: readonly (readonly [way: Way, words: string, kind: string])[] = [
  ['values', 'Start from the settings as they are now', 'button button-primary'],
  ['timeline', 'Replay the run, changes included', 'button'],
];

/** Question before a run that was changed on the way starts again: from the changed values, or by the same timeline. */
function ResetDialog({ onClose, onReset }: { onClose: () => void; onReset: () => void }) {
  const lab = useLab();
  const changes = useLabState(changesMade);
  // Draws again with every update: the dialog tells what would be lost now.
  useLabState(({ tick, keptUpdate }) => `${tick}, ${keptUpdate}`);
  const stake = lab.leaving.stake();
  const [chosen, setChosen] = useState<Way | null>(null);
  const isSaving = useStore(lab.leaving.store, (state) => state.isSaving);
  const cancel = () => {
    lab.leaving.stay();
    onClose();
  };
  const reset = (keep: Way) => {
    setChosen(keep);
    lab.leaving.end(() => {
      onClose();
      lab.editor.reset(keep);
      onReset();
    });
  };
  return (
    <Dialog title="Back to the beginning" isQuestion onClose={cancel}>
      <p>
        {changes === 1 ? 'One setting was' : `${changes} settings were`} changed while this run was training. The curves
        on screen are cleared either way. {stake === null ? '' : lossWords(stake)}
      </p>
      <div className="dialog-buttons">
        {WAYS.map(([way, words, kind]) => (
          <button key={way} type="button" className={kind} disabled={isSaving} onClick={() => reset(way)}>
            {isSaving && way === chosen ? 'Saving…' : words}
          </button>
        ))}
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </Dialog>
  );
}
