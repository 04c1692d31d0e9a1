/** The verdict of a run, so far or when it has ended: a sentence with its interval, and what it does not show. */

import { Suspense, useMemo } from 'react';
import { formatCount } from '../../kit/format';
import { part } from '../../kit/part';
import { useLab, useLabState } from '../../useLab';
import { verdict } from './verdict';

const Reproduced = part('What was reproduced', () => import('./Reproduced').then((module) => module.Reproduced));

/** Updates after which what is said so far is said anew. */
const EVERY = 10;

export function FinishedRun() {
  const lab = useLab();
  const phase = useLabState((state) => state.phase);
  const arms = useLabState((state) => state.running?.arms);
  const updates = useLabState((state) => state.running?.updates ?? 0);
  const sent = useLabState((state) => state.sent !== null);
  const history = useLabState((state) => state.history);
  const seen = useLabState((state) => Math.floor((state.history?.count ?? 0) / EVERY));
  const hasEnded = phase === 'finished' || phase === 'restored';
  const isUnderWay = phase === 'running' || phase === 'paused';
  const soFar = useMemo(
    () => (isUnderWay && history !== null && arms !== undefined && seen > 0 ? verdict(history, arms, updates) : ''),
    [isUnderWay, seen, history, arms, updates],
  );
  if (history === null || arms === undefined) return null;
  if (!hasEnded) {
    return (
      <div className="verdict">
        <p data-testid="so-far">
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
    <div className="verdict">
      <p data-testid="verdict">
        <b>{phase === 'finished' ? 'Finished.' : 'Kept from before.'}</b> {verdict(history, arms, updates)}
      </p>
      {sent && (
        <Suspense fallback={null}>
          <Reproduced />
        </Suspense>
      )}
      {phase === 'finished' && (
        <button
          type="button"
          className="button"
          data-testid="extend"
          onClick={() => {
            const { edited } = lab.store.getState();
            lab.editor.edit({ ...edited, updates: 2 * updates });
          }}
        >
          Train on to {formatCount(2 * updates)}
        </button>
      )}
    </div>
  );
}
