/** The same over updates: a small chart a layer, a line an arm, dotted what fresh weights give on the same tokens. */
import type { Arm } from '../../experiment/experiment';
import type { Probed } from '../../train/protocol';
import type { ArmColour } from '../armColour';
import { ticksBetween } from '../charts/scale';
import { formatPercent, plural } from '../format';
import { type Answer, answersTo, layerName, type Question } from './probed';

interface Props {
  readonly probed: readonly Probed[];
  readonly question: Question;
  readonly arms: readonly Arm[];
  readonly colours: ReadonlyMap<string, ArmColour>;
}

interface Point {
  readonly update: number;
  readonly answers: readonly Answer[];
}

export function ProbeCurves({ probed, question, arms, colours }: Props) {
  const points = probed.map(({ update, members }) => ({ update, answers: answersTo(question, { update, members }) }));
  const layers = points.at(-1)?.answers[0]?.layers.length ?? 0;
  if (points.length < 2 || layers === 0) return null;
  return (
    <>
      <div className="probe-curves">
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

/** As wide as it is drawn at most, so that its text is as large as other text. */
const [WIDTH, HEIGHT] = [360, 168];
const PLOT = { left: 44, right: 352, top: 8, bottom: 140 };

interface LayerProps extends Omit<Props, 'probed' | 'question'> {
  readonly points: readonly Point[];
  readonly layer: number;
}

function LayerCurves({ points, layer, arms, colours }: LayerProps) {
  const end = points.at(-1)?.update ?? 1;
  const x = (update: number): number => PLOT.left + (update / end) * (PLOT.right - PLOT.left);
  const y = (share: number): number => PLOT.bottom - share * (PLOT.bottom - PLOT.top);
  const path = (arm: string, of: (found: Answer['layers'][number]) => number): string =>
    points
      .flatMap(({ update, answers }) => {
        const found = answers.find((answer) => answer.arm === arm)?.layers[layer];
        return found === undefined ? [] : [`${x(update).toFixed(1)},${y(of(found)).toFixed(1)}`];
      })
      .join(' ');
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="probe-plot"
      role="img"
      aria-label={`Share read rightly ${layerName(layer)}, over ${plural(end, 'update')}; the numbers are under “As table”.`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={PLOT.left} x2={PLOT.right} y1={y(share)} y2={y(share)} stroke="var(--hairline)" />
          <text x={PLOT.left - 8} y={y(share) + 4} textAnchor="end">
            {formatPercent(share)}
          </text>
        </g>
      ))}
      {ticksBetween(0, end, 4).map((update) => (
        <text key={update} x={x(update)} y={HEIGHT - 8} textAnchor="middle">
          {update}
        </text>
      ))}
      {arms.map(({ id }) => {
        const colour = colours.get(id);
        return (
          <g key={id} fill="none" stroke={colour?.stroke}>
            <polyline points={path(id, ({ untrained }) => untrained)} strokeDasharray="1 4" strokeLinecap="round" />
            <polyline
              points={path(id, ({ accuracy }) => accuracy)}
              strokeWidth="2"
              strokeDasharray={colour?.dash}
              data-arm={id}
            />
          </g>
        );
      })}
    </svg>
  );
}

function CurveTable({ points, layers, arms }: { points: readonly Point[]; layers: number; arms: readonly Arm[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="sideways probe-scroll probe-rows" tabIndex={0} aria-label="Probes over updates, table">
      <table className="probe-table small" data-testid="probe-curve-table">
        <thead>
          <tr>
            <th scope="col">Update</th>
            <th scope="col">Arm</th>
            {Array.from({ length: layers }, (_, layer) => (
              <th key={layerName(layer)} scope="col">
                {layerName(layer)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().flatMap(({ update, answers }) =>
            answers.map((answer) => (
              <tr key={`${update} ${answer.arm}`}>
                <th scope="row">{update}</th>
                <td>{arms.find(({ id }) => id === answer.arm)?.name}</td>
                {answer.layers.map(({ accuracy, untrained }, layer) => (
                  <td key={layerName(layer)}>
                    {formatPercent(accuracy)} <span className="soft">fresh {formatPercent(untrained)}</span>
                  </td>
                ))}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </section>
  );
}
