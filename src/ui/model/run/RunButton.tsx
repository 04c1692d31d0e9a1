/** Runs, resumes or runs again; pauses while something runs. */

import type { Ref } from 'react';
import { Button } from '../../kit/Button';
import { useReproducing } from '../useAsking';
import { useLab, useLabState } from '../useLab';
import './run-button.css';

export function RunButton({ ref }: { ref?: Ref<HTMLButtonElement> }) {
  const lab = useLab();
  const phase = useLabState((state) => state.phase);
  const reproduces = useReproducing();
  const invalid = useLabState((state) => state.problems.length > 0 && state.running === null);
  if (phase === 'running' || phase === 'preparing') {
    return (
      <Button
        className="run-button"
        data-testid="pause"
        disabled={phase === 'preparing'}
        onClick={() => lab.runner.pause()}
      >
        Pause
      </Button>
    );
  }
  const again = phase === 'finished' || phase === 'failed' || phase === 'restored';
  return (
    <Button
      ref={ref}
      className="button-primary run-button"
      data-testid="run"
      disabled={invalid || phase === 'stranded'}
      onClick={() => lab.editor.run()}
    >
      {phase === 'paused' || phase === 'diverged' ? 'Resume' : again ? 'Run again' : reproduces ? 'Reproduce' : 'Run'}
    </Button>
  );
}
