/** A finished run in a sentence, with its interval; and what it does not show. */
import { Suspense } from 'react';
import { part } from '../kit/part';
import { useLab, useLabState } from '../useLab';
import { verdict } from './verdict';

const Reproduced = part('What was reproduced', () => import('./Reproduced').then((module) => module.Reproduced));

export function FinishedRun() {
  const lab = useLab();
  const phase = useLabState((state) => state.phase);
  const arms = useLabState((state) => state.running?.arms);
  const updates = useLabState((state) => state.running?.updates ?? 0);
  const sent = useLabState((state) => state.sent !== null);
  const { history } = lab.store.getState();
  if ((phase !== 'finished' && phase !== 'restored') || history === null || arms === undefined) return null;
  return (
    <>
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
          Train on to {2 * updates}
        </button>
      )}
    </>
  );
}
