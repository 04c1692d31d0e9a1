/** The verdict of a run, so far or when it has ended: a sentence with its interval, and what it does not show. */

import { useMemo } from 'react';
import type { Experiment } from '../../../../experiment/experiment';
import type { MetricHistory } from '../../../../measured/history';
import { part } from '../../../kit/part';
import { floorWords, newTasksWords, verdict } from '../../../model/arms/verdict';
import { useWorld } from '../../../model/environment';
import { useLabParts, useLabState } from '../../../model/useLab';
import { useRandomSuccess } from '../../../model/useRandomSuccess';
import { NextSteps } from './NextSteps';

const Reproduced = part('What was reproduced', () => import('./Reproduced'), 'Reproduced');

/** Updates between two judgements of a run under way. */
const EVERY = 10;

export function FinishedRun() {
  const { phase, running, history } = useLabParts('phase', 'running', 'history');
  const sent = useLabState((state) => state.sent !== null);
  const seen = useLabState((state) => Math.floor((state.history?.count ?? 0) / EVERY));
  const hasEnded = phase === 'finished' || phase === 'restored';
  const isUnderWay = phase === 'running' || phase === 'paused';
  const soFar = useMemo(
    () => (isUnderWay && history !== null && running !== null && seen > 0 ? verdict(history, running) : ''),
    [isUnderWay, seen, history, running],
  );
  if (history === null || running === null) return null;
  if (!hasEnded) {
    return (
      <div className="verdict stack top">
        <p>
          {soFar !== '' && (
            <>
              <b>So far.</b> {soFar}
            </>
          )}
        </p>
      </div>
    );
  }
  return (
    <div className="verdict verdict-ended stack top">
      <p data-testid="verdict">
        <b>{phase === 'finished' ? 'Finished.' : 'Kept from before.'}</b> {verdict(history, running)}
        <Floor history={history} running={running} />
      </p>
      {sent && <Reproduced />}
      <NextSteps />
    </div>
  );
}

function Floor({ history, running }: { history: MetricHistory; running: Experiment }) {
  const random = useRandomSuccess(useWorld(running.environment)?.environment ?? null);
  // Where too little was learned to compare, new tasks tell nothing more.
  const words = floorWords(history, running, random) || newTasksWords(history, running);
  return words === '' ? null : <> {words}</>;
}
