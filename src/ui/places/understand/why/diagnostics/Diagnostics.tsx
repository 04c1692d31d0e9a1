/** The place of the diagnostics on the screen: there once a run is, and loaded then. */
import { Suspense } from 'react';
import { part } from '../../../../kit/part';
import { useLabState } from '../../../../model/useLab';

const DiagnosticsPanel = part('The diagnostics', () =>
  import('./DiagnosticsPanel').then((module) => module.DiagnosticsPanel),
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
