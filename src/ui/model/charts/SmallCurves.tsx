/** Small charts of what is measured now and then, a line an arm, and the same numbers as a table. */
import type { Arm } from '../../../experiment/experiment';
import { PlotPlace } from '../../kit/plot/PlotPlace';
import type { PlotPoint, Series } from '../../kit/plot/plot';
import { Row, Scrolling, Table } from '../../kit/Table';
import { armColours } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import './small-curves.css';

export interface SmallCurve {
  readonly title: string;
  readonly format: (value: number) => string;
  /** Ends of the axis, from 0 unless told; null where they are the smallest and the largest mean. */
  readonly from?: number | null;
  readonly to: number | null;
}

/** Mean of what is measured, null where nothing is, and its band where there is one. */
export type SmallValue = Pick<PlotPoint, 'value' | 'band'>;

export interface SmallPoint {
  /** Place on the axis: an update, or a step. */
  readonly at: number;
  /** Values by the arm's id, one a curve; arms that were not measured are left out. */
  readonly byArm: Readonly<Record<string, readonly SmallValue[]>>;
}

interface Props {
  /** Sentence-case title of all of them, such as “Dreams over updates”. */
  readonly name: string;
  /** Unit counted along the axis, such as `update`. */
  readonly unit: string;
  readonly curves: readonly SmallCurve[];
  readonly points: readonly SmallPoint[];
  /** All of the experiment's, which have their colours by their places; those that were not measured are not drawn. */
  readonly arms: readonly Arm[];
}

export function SmallCurves(props: Props) {
  const { curves, points } = props;
  const colours = armColours(props.arms);
  const arms = props.arms.filter(({ id }) => points.some(({ byArm }) => byArm[id] !== undefined));
  return (
    <>
      <ul className="row words-apart padded-4 small">
        {arms.map(({ id, name }) => (
          <li key={id}>
            <ArmMark colour={colours.get(id)} /> {name}
          </li>
        ))}
      </ul>
      <div className="cards small-curves">
        {curves.map((curve, place) => (
          <CurvePlot key={curve.title} {...props} curve={curve} place={place} />
        ))}
      </div>
      <PointsTable {...props} />
    </>
  );
}

function CurvePlot({ name, unit, points, arms, curve, place }: Props & { curve: SmallCurve; place: number }) {
  const { title, format, from = 0, to } = curve;
  const colours = armColours(arms);
  const series = arms.map(({ id, name: armName }): Series => {
    const { stroke = '', dash = '' } = colours.get(id) ?? {};
    const places = points.flatMap(({ at, byArm }) => {
      const one = byArm[id]?.[place];
      return one === undefined || one.value === null ? [] : [{ at, ...one }];
    });
    return { id, name: armName, kind: 'mean', colour: stroke, dash, points: places };
  });
  const last = points.at(-1)?.at ?? 0;
  const values = series.flatMap((one) => one.points.map(({ value }) => value ?? 0));
  const bottom = from ?? (values.length === 0 ? 0 : Math.min(...values));
  const highest = Math.max(bottom, ...values);
  const top = to ?? (highest > bottom ? highest : bottom + 1);
  return (
    <figure className="small">
      <figcaption>{title}</figcaption>
      <PlotPlace
        height={128}
        plot={{
          title: `${name}: ${title}`,
          description: `The same numbers are under “${name} as a table”.`,
          across: {
            domain: [0, Math.max(1, last)],
            ticks: last === 0 ? [0] : [0, last],
            write: (at) => (at === 0 ? `${unit} 0` : String(at)),
            words: (at) => `${unit} ${at}`,
          },
          up: { domain: [bottom, top], ticks: [bottom, top], write: (value) => (value === 0 ? '' : format(value)) },
          series,
          format,
          together: name,
        }}
      />
    </figure>
  );
}

function PointsTable({ name, unit, curves, points, arms }: Props) {
  return (
    <details className="small">
      <summary>{name} as a table</summary>
      <Scrolling className="limited scrolls" label={`${name}, table`}>
        <Table columns={[unit, 'arm', ...curves.map(({ title }) => title)]}>
          {points.toReversed().flatMap(({ at, byArm }) =>
            arms.map(({ id, name: armName }) => {
              const values = byArm[id];
              return values === undefined ? null : (
                <Row key={`${at}-${id}`} data-arm={id} data-update={at} head={at}>
                  <td>{armName}</td>
                  {curves.map(({ title, format }, place) => {
                    const value = values[place]?.value ?? null;
                    return (
                      <td key={title} data-value={value ?? Number.NaN}>
                        {value === null ? '–' : format(value)}
                      </td>
                    );
                  })}
                </Row>
              );
            }),
          )}
        </Table>
      </Scrolling>
    </details>
  );
}
