/** Next steps of a run that has ended, as buttons: one trains it on, the others begin another run, and this one stays among Runs. */

import { useMemo } from 'react';
import { pendingDifferences } from '../../../../store/lab';
import { Button } from '../../../kit/Button';
import { formatCount } from '../../../kit/format';
import { standingOf } from '../../../model/arms/verdict';
import { showStatus } from '../../../model/run/Status';
import { useHidden } from '../../../model/useHidden';
import { useKeptRuns, useLab, useLabState } from '../../../model/useLab';
import { type NextStep, nextSteps } from './nextSteps';

export function NextSteps() {
  const lab = useLab();
  const running = useLabState((state) => state.running);
  const edited = useLabState((state) => state.edited);
  const history = useLabState((state) => state.history);
  const isFinished = useLabState((state) => state.phase === 'finished');
  // Edits that wait have their own question, below.
  const waits = useLabState((state) => pendingDifferences(state).length > 0);
  const isKept = useKeptRuns(({ shown, problem }) => shown !== null && problem === null);
  const isFixed = useHidden('arms');
  const steps = useMemo(
    () =>
      running === null || history === null || waits || isFixed ? [] : nextSteps(edited, standingOf(history, running)),
    [running, edited, history, waits, isFixed],
  );
  const updates = 2 * (running?.updates ?? 0);
  const begin = ({ experiment, words, copied }: NextStep) =>
    lab.leaving.ask(`“${words}” begins another run.`, () => {
      lab.editor.edit(experiment, copied);
      lab.editor.begin(true);
      setTimeout(showStatus);
    });
  return (
    <fieldset className="next-steps row closer" aria-label="What to try next">
      <b aria-hidden="true">Next</b>
      {steps.map((step) => (
        <Button
          key={step.id}
          className="small"
          title={`${step.does}${isKept ? ' This run stays under Runs.' : ''}`}
          data-testid={`next-${step.id}`}
          onClick={() => begin(step)}
        >
          {step.words}
        </Button>
      ))}
      {isFinished && (
        <Button
          className="small"
          title={`To ${formatCount(updates)} updates`}
          data-testid="extend"
          onClick={() => void lab.editor.trainOn(updates)}
        >
          Train {formatCount(updates / 2)} more
        </Button>
      )}
    </fieldset>
  );
}
