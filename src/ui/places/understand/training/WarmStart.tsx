/** The place of the warm start's curves: there once it was measured, and loaded then. */
import { Suspense } from 'react';
import { part } from '../../../kit/part';
import { useLabState } from '../../../model/useLab';

const WarmStartCurves = part('The warm start’s curves', () =>
  import('./WarmStartCurves').then((module) => module.WarmStartCurves),
);

export function WarmStart() {
  const some = useLabState((state) => state.warmStart.length > 0);
  if (!some) return null;
  return (
    <section aria-labelledby="warm-start-title" data-testid="warm-start-curves">
      <h3 id="warm-start-title">Warm start</h3>
      <Suspense fallback={<p className="small soft">Loading the curves.</p>}>
        <WarmStartCurves />
      </Suspense>
    </section>
  );
}
