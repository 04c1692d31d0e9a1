/** The place of the comparison on the screen: there once a run is, or one is kept, and loaded then. */
import { Suspense } from 'react';
import { part } from '../../../../kit/part';
import { useKeptRuns, useLabState } from '../../../../model/useLab';

const ComparePanel = part('The comparison', () => import('./ComparePanel').then((module) => module.ComparePanel));

export function Compare() {
  const started = useLabState((state) => state.running !== null);
  const some = useKeptRuns(({ runs }) => runs.length > 0);
  if (!started && !some) return null;
  return (
    <section className="panel" aria-labelledby="compare-title" data-testid="compare">
      <h3 id="compare-title">Arms compared over seeds</h3>
      <Suspense fallback={<p className="small soft">Loading the comparison.</p>}>
        <ComparePanel />
      </Suspense>
    </section>
  );
}
