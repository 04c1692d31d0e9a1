/** The curves of the training itself; the two decisive ones stand on the first screen. */
import { Chart } from '../charts/Chart';
import { DetailCharts } from '../charts/DetailCharts';
import { otherCharts } from '../charts/definitions';
import { useKeptRuns, useLabState } from '../useLab';
import { Group } from './Group';
import { TrainingToCome } from './TrainingToCome';

export function Training() {
  const hasCurves = useHasCurves();
  return (
    <Group id="training">
      <div className="panel">{hasCurves ? <Curves /> : <TrainingToCome />}</div>
    </Group>
  );
}

function Curves() {
  return (
    <>
      <div className="chart-grid">
        {otherCharts.map((definition) => (
          <Chart key={definition.metric} definition={definition} compact />
        ))}
      </div>
      <DetailCharts />
    </>
  );
}

/** A run, or a whole one behind it: results that are sent or recorded have none of these curves. */
function useHasCurves(): boolean {
  const started = useLabState((state) => state.running !== null);
  const pinned = useKeptRuns((state) => state.pinned !== null);
  return started || pinned;
}
