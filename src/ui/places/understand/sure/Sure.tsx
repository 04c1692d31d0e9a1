/** Page of certainty: how far the curves are to be believed. */

import { Group } from '../../../model/Group';
import { placeLink } from '../../../model/place';
import { useKeptRuns, useLabState } from '../../../model/useLab';
import { Compare } from './compare/Compare';
import { GridView } from './sweep/GridView';
import { SweepView } from './sweep/SweepView';

export function Sure() {
  const empty = useIsEmpty();
  return (
    <Group id="sure" about="Are the differences more than luck? Arms and runs compared, seed by seed.">
      {empty && <p className="panel small soft">Nothing has run yet. Once it has, the arms are compared here.</p>}
      <SweepView />
      <GridView />
      <Compare />
      <p className="panel small">
        <a href={placeLink('runs')}>Runs kept in this browser</a>
      </p>
      <p className="panel small" data-testid="recorded-findings">
        Does predicting the world help? <a href={placeLink('findings', 'best-against-best')}>What recorded runs say</a>,
        each arm at its own best settings, and <a href={placeLink('findings', 'when-prediction-helps')}>when</a>.
      </p>
    </Group>
  );
}

function useIsEmpty(): boolean {
  const started = useLabState((state) => state.running !== null);
  const kept = useKeptRuns(({ runs }) => runs.length > 0);
  return !started && !kept;
}
