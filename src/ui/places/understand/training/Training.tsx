/** The curves of the training itself; the two decisive ones stand on the first screen. */
import { useDeferredValue, useEffect, useState } from 'react';
import { Chart } from '../../../model/charts/Chart';
import { decisiveCharts } from '../../../model/charts/kinds/decisiveDefinitions';
import { otherCharts } from '../../../model/charts/kinds/definitions';
import { useIsAsked } from '../../../model/charts/kinds/shownChart';
import { Group } from '../../../model/Group';
import { useKeptRuns, useLabState } from '../../../model/useLab';
import { DetailCharts } from '../charts/DetailCharts';
import { AbsentChart } from './AbsentChart';
import { TrainingToCome } from './TrainingToCome';
import { WarmStart } from './WarmStart';

export function Training() {
  const hasCurves = useHasCurves();
  const wasAsked = useWasAsked();
  // Eight charts are much for the task in which a run begins: they come after it.
  const isDrawn = useDeferredValue(hasCurves || wasAsked);
  return (
    <Group id="training" about="How the training itself is doing, update by update.">
      <div className="panel">{isDrawn ? <Curves /> : <TrainingToCome />}</div>
    </Group>
  );
}

function Curves() {
  return (
    <>
      <AbsentChart />
      <WarmStart />
      <div className="cards chart-grid">
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

/** A sign of failure leads to its chart, an empty one too. */
function useWasAsked(): boolean {
  const [was, setWas] = useState(false);
  const asked = useIsAsked((wanted) => decisiveCharts.every(({ metric }) => metric !== wanted));
  useEffect(() => {
    if (asked) setWas(true);
  }, [asked]);
  return was;
}
