/**
 * How far dreams agree with the world over the updates at which they were drawn, a small chart for each number of turns
 * dreamed, and how much predictions depend on the action.
 */
import type { Arm } from '../../../experiment/experiment';
import { type ArmDream, type DreamPoint, HORIZONS } from '../../../store/dreamPoints';
import { type ArmColour, armColours } from '../../armColour';
import { formatMeasured, formatPercent, plural } from '../../kit/format';
import { PlotPlace } from '../../kit/plot/PlotPlace';
import type { Series } from '../../kit/plot/plot';
import { Row, Scrolling, Table } from '../../kit/Table';
import { ArmMark } from '../../lab/arms/ArmName';
import { useLabState } from '../../useLab';
import './dream.css';

interface Curve {
  readonly title: string;
  readonly of: (dream: ArmDream) => number;
  readonly format: (value: number) => string;
  /** The top of the axis, where it is always the same. */
  readonly most: number | null;
}

const CURVES: readonly Curve[] = [
  ...HORIZONS.map(
    (turns, index): Curve => ({
      title: turns === 'end' ? 'the whole episode ahead' : `${plural(turns, 'turn')} ahead`,
      of: ({ agreement }) => agreement[index] as number,
      format: formatPercent,
      most: 1,
    }),
  ),
  {
    title: 'action sensitivity, nats',
    of: ({ sensitivity }) => sensitivity,
    format: formatMeasured,
    most: null,
  },
];

const NO_ARMS: readonly Arm[] = [];

export function DreamCurves() {
  const points = useLabState((state) => state.dreamPoints);
  const arms = useLabState((state) => state.running?.arms) ?? NO_ARMS;
  const colours = armColours(arms);
  return (
    <>
      <p className="small soft dream-curves-help">
        Share of the world’s answers that dreams get right, so many turns after they last heard of the world; and how
        much less an answer is expected after another action. Of one episode an arm each time it was drawn on this page.
      </p>
      <ul className="dream-curves-arms small">
        {arms.map(({ id, name }) => (
          <li key={id}>
            <ArmMark colour={colours.get(id)} /> {name}
          </li>
        ))}
      </ul>
      <div className="dream-curves">
        {CURVES.map((curve) => (
          <CurvePlot key={curve.title} curve={curve} points={points} arms={arms} colours={colours} />
        ))}
      </div>
      <PointsTable points={points} arms={arms} />
    </>
  );
}

interface Props {
  readonly curve: Curve;
  readonly points: readonly DreamPoint[];
  readonly arms: readonly Arm[];
  readonly colours: ReadonlyMap<string, ArmColour>;
}

function CurvePlot({ curve: { title, of, format, most }, points, arms, colours }: Props) {
  const series = arms.map(({ id, name }): Series => {
    const { stroke = '', dash = '' } = colours.get(id) ?? {};
    const places = points.flatMap(({ update, byArm: { [id]: dream } }) => {
      const value = dream === undefined ? Number.NaN : of(dream);
      return Number.isNaN(value) ? [] : [{ at: update, value }];
    });
    return { id, name, kind: 'mean', colour: stroke, dash, points: places };
  });
  const last = points.at(-1)?.update ?? 0;
  const largest = Math.max(0, ...series.flatMap((one) => one.points.map(({ value }) => value ?? 0)));
  const top = most ?? (largest > 0 ? largest : 1);
  return (
    <figure className="small">
      <figcaption>{title}</figcaption>
      <PlotPlace
        className="dream-plot"
        plot={{
          title: `Dreams over updates: ${title}`,
          description: 'The same numbers are under “Dreams over updates as a table”.',
          across: {
            domain: [0, Math.max(1, last)],
            ticks: last === 0 ? [0] : [0, last],
            write: (update) => (update === 0 ? 'update 0' : String(update)),
            words: (update) => `update ${update}`,
          },
          up: { domain: [0, top], ticks: [0, top], write: (value) => (value === 0 ? '' : format(value)) },
          series,
          format,
          together: 'dreams',
        }}
      />
    </figure>
  );
}

function PointsTable({ points, arms }: { points: readonly DreamPoint[]; arms: readonly Arm[] }) {
  return (
    <details className="small">
      <summary>Dreams over updates as a table</summary>
      <Scrolling className="dream-curves-table" label="Dreams over updates, table">
        <Table columns={['update', 'arm', ...CURVES.map(({ title }) => title)]}>
          {points.toReversed().flatMap(({ update, byArm }) =>
            arms.map(({ id, name }) => {
              const dream = byArm[id];
              return dream === undefined ? null : (
                <Row key={`${update}-${id}`} data-arm={id} data-update={update} head={update}>
                  <td>{name}</td>
                  {CURVES.map(({ title, of, format }) => (
                    <td key={title} data-value={of(dream)}>
                      {Number.isNaN(of(dream)) ? '–' : format(of(dream))}
                    </td>
                  ))}
                </Row>
              );
            }),
          )}
        </Table>
      </Scrolling>
    </details>
  );
}
