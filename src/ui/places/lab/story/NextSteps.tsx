/** Next steps of a run that has ended, as buttons: one trains it on, the others begin another run, and this one stays among Runs. */

import { type ReactNode, useMemo } from 'react';
import { findSweep } from '../../../../experiment/grid/together';
import { pendingDifferences } from '../../../../store/lab';
import { Button } from '../../../kit/Button';
import { formatCount } from '../../../kit/format';
import { standingOf } from '../../../model/arms/verdict';
import { goTo } from '../../../model/place';
import { showStatus } from '../../../model/run/Status';
import { useHidden } from '../../../model/useHidden';
import { useLab, useLabParts, useLabState } from '../../../model/useLab';
import { type NextStep, nextSteps } from './nextSteps';

export function NextSteps() {
  const lab = useLab();
  const { running, edited, history } = useLabParts('running', 'edited', 'history');
  const isFinished = useLabState((state) => state.phase === 'finished');
  // Edits that wait have their own question, below.
  const waits = useLabState((state) => pendingDifferences(state).length > 0);
  const isFixed = useHidden('arms');
  const steps = useMemo(
    () =>
      running === null || history === null || waits || isFixed ? [] : nextSteps(edited, standingOf(history, running)),
    [running, edited, history, waits, isFixed],
  );
  const isSweep = useMemo(() => running !== null && findSweep(running.arms) !== null, [running]);
  const updates = 2 * (running?.updates ?? 0);
  const begin = ({ experiment, words, copied }: NextStep) =>
    lab.leaving.ask(`“${words}” begins another run.`, () => {
      lab.editor.edit(experiment, copied);
      lab.editor.begin(true);
      setTimeout(showStatus);
    });
  return (
    <fieldset className="stack close" aria-label="What to try next">
      {isSweep && (
        <Step id="see-sweep" does="Draws success against the value of the setting." onTake={() => goTo('sure')}>
          See the sweep
        </Step>
      )}
      {/* As many rows as after any other run. */}
      {(isSweep ? steps.slice(0, 2) : steps).map((step) => (
        <Step key={step.id} id={`next-${step.id}`} does={step.does} onTake={() => begin(step)}>
          {step.words}
        </Step>
      ))}
      {isFinished && (
        <Step
          id="extend"
          does={`Goes on with this run, to update ${formatCount(updates)}.`}
          onTake={() => void lab.editor.trainOn(updates)}
        >
          Train {formatCount(updates / 2)} more
        </Step>
      )}
    </fieldset>
  );
}

interface StepProps {
  readonly id: string;
  /** Sentence that says what the step does. */
  readonly does: string;
  readonly onTake: () => void;
  readonly children: ReactNode;
}

function Step({ id, does, onTake, children }: StepProps) {
  return (
    <div className="next-step line lined">
      <Button className="small firm" data-testid={id} aria-describedby={`${id}-does`} onClick={onTake}>
        {children}
      </Button>
      <span id={`${id}-does`} className="small soft">
        {does}
      </span>
    </div>
  );
}
