/** Page of certainty: how far the curves are to be believed. Its parts are loaded once they have something to show. */
import { useMemo } from 'react';
import { findSweep } from '../../../../experiment/grid/together';
import { loading, part } from '../../../kit/part';
import { Titled } from '../../../kit/Titled';
import { Group } from '../../../model/Group';
import { placeLink } from '../../../model/place';
import { SweepASetting } from '../../../model/sweep/SweepButton';
import { useKeptRuns, useLabState } from '../../../model/useLab';

const SweepPanel = part('The sweep', () => import('./sweep/SweepPanel'), 'SweepPanel', loading('the sweep'));
const GridPanel = part('The sweep', () => import('./sweep/GridPanel'), 'GridPanel', loading('the sweep'));
const ComparePanel = part(
  'The comparison',
  () => import('./compare/ComparePanel'),
  'ComparePanel',
  loading('the comparison'),
);

export function Sure() {
  const running = useLabState((state) => state.running?.arms);
  const hasRuns = useKeptRuns(({ runs }) => runs.length > 0);
  const sweep = useMemo(() => (running === undefined ? null : findSweep(running)), [running]);
  const isEmpty = running === undefined && !hasRuns;
  return (
    <Group id="sure" about="Are the differences more than luck? Arms and runs compared, seed by seed.">
      {isEmpty && <p className="panel small soft">Nothing has run yet. Once it has, the arms are compared here.</p>}
      {sweep !== null && (
        <Titled title={`Success against ${sweep.setting.label}`} className="panel" testId="sweep">
          <SweepPanel sweep={sweep} />
        </Titled>
      )}
      {!isEmpty && (
        <Titled title="Arms compared over seeds" className="panel" testId="compare">
          <ComparePanel />
        </Titled>
      )}
      <Titled title="Sweep of a setting" className="panel" testId="grid">
        <GridPanel />
        <div className="dialog-buttons above-4">
          <SweepASetting testId="grid-new" />
        </div>
      </Titled>
      <p className="panel small">
        Recorded runs answer whether predicting the world helps:{' '}
        <a href={placeLink('findings', 'best-against-best')}>each arm at its own best settings</a>, and{' '}
        <a href={placeLink('findings', 'when-prediction-helps')}>in which worlds</a>.
      </p>
    </Group>
  );
}
