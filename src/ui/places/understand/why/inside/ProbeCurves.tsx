/** Accuracy of probes over updates: a small chart a layer, a line an arm, dotted that of fresh weights on the same tokens. */
import type { Arm } from '../../../../../experiment/experiment';
import type { Probed } from '../../../../../train/looks/shown';
import { formatPercent, plural } from '../../../../kit/format';
import { ticksBetween } from '../../../../kit/plot/axes';
import { PlotPlace } from '../../../../kit/plot/PlotPlace';
import type { Series } from '../../../../kit/plot/plot';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import type { ArmColour } from '../../../../model/armColour';
import { answersTo, layerName, type ProbeAccuracy, type ProbeQuery } from './probed';

interface Props {
  readonly probed: readonly Probed[];
  readonly question: ProbeQuery;
  readonly arms: readonly Arm[];
  readonly colours: ReadonlyMap<string, ArmColour>;
}

interface Point {
  readonly update: number;
  readonly answers: readonly ProbeAccuracy[];
}

export function ProbeCurves({ probed, question, arms, colours }: Props) {
  const points = probed.map(({ update, members }) => ({ update, answers: answersTo(question, { update, members }) }));
  const layers = points.at(-1)?.answers[0]?.layers.length ?? 0;
  if (points.length < 2 || layers === 0) return null;
  return (
    <>
      <div className="cards stack wide">
        {Array.from({ length: layers }, (_, layer) => (
          <figure key={layerName(layer)}>
            <figcaption className="small">{layerName(layer)}</figcaption>
            <LayerCurves points={points} layer={layer} arms={arms} colours={colours} />
          </figure>
        ))}
      </div>
      <details className="probe-data">
        <summary className="small">As table</summary>
        <CurveTable points={points} layers={layers} arms={arms} />
      </details>
    </>
  );
}

interface LayerProps extends Omit<Props, 'probed' | 'question'> {
  readonly points: readonly Point[];
  readonly layer: number;
}

function LayerCurves({ points, layer, arms, colours }: LayerProps) {
  const end = points.at(-1)?.update ?? 1;
  const lines = (kind: Series['kind'], of: (found: ProbeAccuracy['layers'][number]) => number): Series[] =>
    arms.map(({ id, name }) => {
      const { stroke = '', dash = '' } = colours.get(id) ?? {};
      const places = points.flatMap(({ update, answers }) => {
        const found = answers.find(({ arm }) => arm === id)?.layers[layer];
        return found === undefined ? [] : [{ at: update, value: of(found) }];
      });
      return { id, name, kind, colour: stroke, dash: kind === 'mean' ? dash : '', points: places };
    });
  return (
    <PlotPlace
      height={168}
      plot={{
        title: `Share read rightly ${layerName(layer)}`,
        description: `Over ${plural(end, 'update')}; the numbers are under “As table”.`,
        across: {
          domain: [0, end],
          ticks: ticksBetween(0, end, 4),
          write: String,
          words: (update) => `update ${update}`,
        },
        up: { domain: [0, 1], ticks: [0, 0.5, 1], write: formatPercent },
        series: [...lines('behind', ({ untrained }) => untrained), ...lines('mean', ({ accuracy }) => accuracy)],
        format: formatPercent,
        together: 'probes',
      }}
    />
  );
}

function CurveTable({ points, layers, arms }: { points: readonly Point[]; layers: number; arms: readonly Arm[] }) {
  return (
    <Scrolling className="limited" label="Probes over updates, table">
      <Table
        className="small unbroken"
        columns={['Update', 'Arm', ...Array.from({ length: layers }, (_, layer) => layerName(layer))]}
      >
        {points.toReversed().flatMap(({ update, answers }) =>
          answers.map((answer) => (
            <Row key={`${update} ${answer.arm}`} head={update}>
              <td>{arms.find(({ id }) => id === answer.arm)?.name}</td>
              {answer.layers.map(({ accuracy, untrained }, layer) => (
                <td key={layerName(layer)}>
                  {formatPercent(accuracy)} <span className="soft">fresh {formatPercent(untrained)}</span>
                </td>
              ))}
            </Row>
          )),
        )}
      </Table>
    </Scrolling>
  );
}
