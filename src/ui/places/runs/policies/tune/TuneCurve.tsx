/** Loss while a model learns a text: of the pieces of each update, and of those that are held out. */
import type { TuningState } from '../../../../../store/desk/tuning';
import { formatCount, formatDecimals } from '../../../../kit/format';
import { PlotPlace } from '../../../../kit/plot/PlotPlace';
import { Row, Scrolling, Table } from '../../../../kit/Table';

/** Rows of the table, about: each is a mean over so many updates. */
const ROWS = 10;

const nats = (value: number): string => `${formatDecimals(value, 3)} nats`;
const meanOf = (losses: readonly number[]): number => losses.reduce((sum, loss) => sum + loss, 0) / losses.length;

export function TuneCurve({ state }: { state: TuningState }) {
  const { learned, examined, settings } = state;
  const most = Math.max(...[...learned, ...examined].map(({ loss }) => loss));
  const every = Math.max(1, Math.ceil(learned.length / ROWS));
  const rows = Array.from({ length: Math.ceil(learned.length / every) }, (_, i) =>
    learned.slice(i * every, (i + 1) * every),
  );
  const heldAt = (update: number): string => {
    const last = examined.findLast((one) => one.update <= update);
    return last === undefined ? '–' : formatDecimals(last.loss, 3);
  };
  return (
    <section aria-label="Loss" data-testid="tune-curve">
      <h4>Loss, nats a token</h4>
      <PlotPlace
        height={220}
        plot={{
          title: 'Loss while it learns',
          description: 'In numbers in the table below.',
          room: 96,
          across: {
            domain: [0, settings.updates],
            ticks: [0, settings.updates],
            name: 'updates',
            write: formatCount,
            words: (at) => `update ${formatCount(at)}`,
          },
          up: { domain: [0, most], ticks: [0, most], write: (value) => formatDecimals(value, 1) },
          series: [
            {
              ...{ id: 'learned', name: 'learned', kind: 'mean', colour: 'var(--arm-1)', label: '' },
              points: learned.map(({ update, loss }) => ({ at: update, value: loss })),
            },
            {
              ...{ id: 'examined', name: 'held out', kind: 'mean', colour: 'var(--arm-2)', label: '', dash: '6 3' },
              points: examined.map(({ update, loss }) => ({ at: update, value: loss })),
              ...{ isJoined: true, hasDots: true },
            },
          ],
          format: nats,
        }}
      />
      <details>
        <summary>As a table</summary>
        <Scrolling label="Loss while it learns">
          <Table caption="Loss, nats a token" columns={['Updates', 'Learned, mean', 'Held out']}>
            {rows.map((points) => {
              const [first, last] = [points[0]?.update ?? 0, points.at(-1)?.update ?? 0];
              return (
                <Row
                  key={first}
                  head={`${formatCount(first)} to ${formatCount(last)}`}
                  cells={[formatDecimals(meanOf(points.map(({ loss }) => loss)), 3), heldAt(last)]}
                />
              );
            })}
          </Table>
        </Scrolling>
      </details>
    </section>
  );
}
