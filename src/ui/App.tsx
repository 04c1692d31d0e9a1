/**
 * The whole screen. Everything one needs to judge a run stands on the first screen of a desk-size window: the table, the
 * worlds and the two decisive charts; the controls follow, then the other charts.
 */
import { useState } from 'react';
import { ArmTable } from './arms/ArmTable';
import { Chart } from './charts/Chart';
import { DetailCharts } from './charts/DetailCharts';
import { decisiveCharts, otherCharts } from './charts/definitions';
import { ExperimentSettings } from './controls/ExperimentSettings';
import { Hyperparameters } from './controls/Hyperparameters';
import { Header } from './header/Header';
import { MachineBar } from './machine/MachineBar';
import { Messages } from './messages/Messages';
import { Timeline } from './timeline/Timeline';
import { useLabState } from './useLab';
import { useShortcuts } from './useShortcuts';
import { Worlds } from './worlds/Worlds';
import './app.css';

export function App() {
  const [help, setHelp] = useState(false);
  const started = useLabState((state) => state.running !== null);
  useShortcuts(() => setHelp(true));
  return (
    <>
      <Header help={help} onHelp={setHelp} />
      <MachineBar />
      <Messages />
      <main className={`screen ${started ? 'screen-started' : 'screen-idle'}`}>
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
          <ExperimentSettings />
        </div>
      </main>
    </>
  );
}
