/** The place of a sweep over several populations: its progress and its picture, or where one is begun. Loaded with the place. */
import { Suspense } from 'react';
import { isFixed } from '../../../../../experiment/arm/policyFiles';
import { part } from '../../../../kit/part';
import { SweepButton } from '../../../../model/sweep/SweepButton';
import { useLabState } from '../../../../model/useLab';

const GridPanel = part('The sweep', () => import('./GridPanel').then((module) => module.GridPanel));

export function GridView() {
  const arm = useLabState(({ edited }) => edited.arms.find((one) => !isFixed(one)));
  return (
    <section className="panel" aria-labelledby="grid-title" data-testid="grid">
      <h3 id="grid-title">A setting swept</h3>
      <Suspense fallback={<p className="small soft">Loading the sweep.</p>}>
        <GridPanel />
      </Suspense>
      {arm !== undefined && (
        <div className="dialog-buttons">
          <SweepButton arm={arm} className="button" testId="grid-new">
            Sweep a setting…
          </SweepButton>
        </div>
      )}
    </section>
  );
}
