/** The place of the probes on the screen: there once a run is, and loaded then. */
import { Suspense } from 'react';
import { part } from '../../../../kit/part';
import { useLabState } from '../../../../model/useLab';

const ProbePanel = part('The probes', () => import('./ProbePanel').then((module) => module.ProbePanel));

export function Inside() {
  const started = useLabState((state) => state.running !== null);
  if (!started) return null;
  return (
    <section className="panel" aria-labelledby="probes-title" data-testid="probes">
      <h3 id="probes-title">What can be read off the policy</h3>
      <Suspense fallback={<p className="small soft">Loading the probes.</p>}>
        <ProbePanel />
      </Suspense>
    </section>
  );
}
