/** The lab: cause and effect on one screen. Its state is kept while another place is shown. */
import { useEffect } from 'react';
import { Boundary } from '../../kit/Boundary';
import { part } from '../../kit/part';
import { usePhone, useWide } from '../../kit/useWide';
import { ArmTable } from '../../model/arms/ArmTable';
import { Chart } from '../../model/charts/Chart';
import { decisiveCharts } from '../../model/charts/kinds/decisiveDefinitions';
import { leave } from '../../model/lessonBefore';
import { useLabState } from '../../model/useLab';
import { LiveNumbers } from './live/LiveSheet';
import { Worlds } from './story/Worlds';

const Interventions = part(
  'The strip of changes',
  () => import('./timeline/Interventions'),
  'Interventions',
  <div className="strip-waiting" />,
);

const RunningCurve = part(
  'The small chart',
  () => import('./story/RunningCurve'),
  'RunningCurve',
  <div className="running-curve line apart ruled" />,
);

export function LabScreen({ isShown }: { isShown: boolean }) {
  const isMeasured = useLabState(({ history }) => history !== null && history.count > 0);
  const isWide = useWide();
  const isPhone = usePhone();
  useEffect(() => (isShown ? () => leave(null) : undefined), [isShown]);
  return (
    <main className="screen" hidden={!isShown}>
      {isPhone && isMeasured && <RunningCurve />}
      <div className="screen-arms shrinks">
        <Boundary what="The table of arms">
          <ArmTable />
        </Boundary>
        {isWide && (
          <div className="screen-live">
            <LiveNumbers />
          </div>
        )}
      </div>
      <div className="screen-worlds shrinks skip-here">
        <Boundary what="The worlds">
          <Worlds />
        </Boundary>
      </div>
      <div className="screen-charts shrinks">
        <div className="charts-column stack wide">
          {decisiveCharts.map((definition) => (
            <Chart key={definition.metric} definition={definition} />
          ))}
          <Interventions />
        </div>
      </div>
    </main>
  );
}
