/** The place of the kept runs on the screen: there once there is one, or something to say about storage. */
import { Suspense } from 'react';
import { part } from '../kit/part';
import { useKeptRuns } from '../useLab';

const RunsPanel = part('The list of runs', () => import('./RunsPanel').then((module) => module.RunsPanel));

export function Runs() {
  const some = useKeptRuns(({ runs, problem, damaged }) => runs.length > 0 || damaged > 0 || problem !== null);
  if (!some) return null;
  return (
    <section className="panel" aria-labelledby="runs-title" data-testid="runs">
      <h3 id="runs-title">Runs kept in this browser</h3>
      <Suspense fallback={<p className="small soft">Loading the runs.</p>}>
        <RunsPanel />
      </Suspense>
    </section>
  );
}
