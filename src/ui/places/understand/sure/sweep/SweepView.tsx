/** The place of a sweep's picture on the screen: there where the arms of the run differ in one number only. */
import { Suspense, useMemo } from 'react';
import { findSweep } from '../../../../../experiment/grid/sweep';
import { part } from '../../../../kit/part';
import { useLabState } from '../../../../model/useLab';

const SweepPanel = part('The sweep', () => import('./SweepPanel').then((module) => module.SweepPanel));

export function SweepView() {
  const arms = useLabState((state) => state.running?.arms);
  const sweep = useMemo(() => (arms === undefined ? null : findSweep(arms)), [arms]);
  if (sweep === null || arms === undefined) return null;
  return (
    <section className="panel" aria-labelledby="sweep-title" data-testid="sweep">
      <h3 id="sweep-title">Success against {sweep.setting.label}</h3>
      <Suspense fallback={<p className="small soft">Loading the sweep.</p>}>
        <SweepPanel sweep={sweep} arms={arms} />
      </Suspense>
    </section>
  );
}
