/** The place of the diagnostics on the screen: there once a run is, and loaded then. */
import { lazy, Suspense } from 'react';
import { useLabState } from '../useLab';

const DiagnosticsPanel = lazy(() =>
  import('./DiagnosticsPanel').then((module) => ({ default: module.DiagnosticsPanel })),
);

export function Diagnostics() {
  const started = useLabState((state) => state.running !== null);
  if (!started) return null;
  return (
    <section className="panel" aria-labelledby="diagnostics-title" data-testid="diagnostics">
      <h3 id="diagnostics-title">What a batch teaches</h3>
      <Suspense fallback={<p className="small soft">Loading the diagnostics.</p>}>
        <DiagnosticsPanel />
      </Suspense>
    </section>
  );
}
