/**
 * The whole screen. Everything one needs to judge a run stands on the first screen of a desk-size window: the table, the
 * worlds and the two decisive charts; the controls follow, then the other charts.
 */
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { ArmTable } from './arms/ArmTable';
import { Chart } from './charts/Chart';
import { DetailCharts } from './charts/DetailCharts';
import { decisiveCharts, otherCharts } from './charts/definitions';
import { Compare } from './compare/Compare';
import { ExperimentSettings } from './controls/ExperimentSettings';
import { Hyperparameters } from './controls/Hyperparameters';
import { WorldSettings } from './controls/WorldSettings';
import { Header } from './header/Header';
import { HealthPanel } from './health/HealthPanel';
import { useInspector } from './inspector/useInspector';
import { MachineBar } from './machine/MachineBar';
import { Messages } from './messages/Messages';
import { useKernelsPlace } from './place';
import { Runs } from './runs/Runs';
import { Timeline } from './timeline/Timeline';
import { useLabState } from './useLab';
import { useShortcuts } from './useShortcuts';
import { Worlds } from './worlds/Worlds';
import './app.css';

const KernelsPage = lazy(() => import('./kernels/KernelsPage').then((module) => ({ default: module.KernelsPage })));

const Inspector = lazy(() => import('./inspector/Inspector').then((module) => ({ default: module.Inspector })));

export function App() {
  const [help, setHelp] = useState(false);
  const started = useLabState((state) => state.running !== null);
  const kernel = useKernelsPlace();
  const inspecting = useInspector((state) => state.isOpen);
  useScrollOf(kernel === null);
  useShortcuts(() => setHelp(true));
  return (
    <>
      <Header help={help} onHelp={setHelp} />
      <MachineBar />
      <Messages />
      {kernel !== null && (
        <Suspense fallback={<main className="loading soft">Loading the kernels.</main>}>
          <KernelsPage kernel={kernel} />
        </Suspense>
      )}
      <main className={`screen ${started ? 'screen-started' : 'screen-idle'}`} hidden={kernel !== null}>
        <div className="screen-arms">
          <ArmTable />
        </div>
        <div className="screen-worlds">
          <Worlds />
        </div>
        <div className="screen-charts">
          {decisiveCharts.map((definition) => (
            <Chart key={definition.metric} definition={definition} />
          ))}
        </div>
        <div className="screen-below">
          <HealthPanel />
          <Compare />
          <Runs />
          <Hyperparameters />
          <Timeline />
          <section className="panel" aria-labelledby="other-charts">
            <h2 id="other-charts">How the training itself is doing</h2>
            <div className="chart-grid">
              {otherCharts.map((definition) => (
                <Chart key={definition.metric} definition={definition} compact />
              ))}
            </div>
            <DetailCharts />
          </section>
          <WorldSettings />
          <ExperimentSettings />
        </div>
      </main>
      {inspecting && kernel === null && (
        <Suspense fallback={null}>
          <Inspector />
        </Suspense>
      )}
    </>
  );
}

/** The lab is where it was when one comes back to it. */
function useScrollOf(inLab: boolean): void {
  const at = useRef(0);
  useLayoutEffect(() => {
    if (!inLab) return;
    scrollTo(0, at.current);
    const remember = () => {
      at.current = scrollY;
    };
    addEventListener('scroll', remember);
    return () => removeEventListener('scroll', remember);
  }, [inLab]);
}
