/** The place of the dreams' curves: there once policies have dreamed, and loaded then. */
import { Suspense } from 'react';
import { part } from '../../../kit/part';
import { useLabState } from '../../../model/useLab';

const DreamCurves = part('The dreams’ curves', () => import('./DreamCurves').then((module) => module.DreamCurves));

export function DreamsOverUpdates() {
  const some = useLabState((state) => state.dreamPoints.length > 0);
  if (!some) return null;
  return (
    <section className="panel" aria-labelledby="dream-curves-title" data-testid="dream-curves">
      <h3 id="dream-curves-title">Dreams over updates</h3>
      <Suspense fallback={<p className="small soft">Loading the curves.</p>}>
        <DreamCurves />
      </Suspense>
    </section>
  );
}
