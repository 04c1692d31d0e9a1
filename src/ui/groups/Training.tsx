/** The curves of the training itself; the two decisive ones stand on the first screen. */
import { Chart } from '../charts/Chart';
import { DetailCharts } from '../charts/DetailCharts';
import { otherCharts } from '../charts/definitions';
import { Group } from './Group';

export function Training() {
  return (
    <Group id="training">
      <div className="panel">
        <div className="chart-grid">
          {otherCharts.map((definition) => (
            <Chart key={definition.metric} definition={definition} compact />
          ))}
        </div>
        <DetailCharts />
      </div>
    </Group>
  );
}
