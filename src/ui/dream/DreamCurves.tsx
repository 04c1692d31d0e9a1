/**
 * How far dreams agree with the world over the updates at which they were drawn, a small chart for each number of turns
 * dreamed, and how much predictions depend on the action.
 */
import type { Arm } from '../../experiment/experiment';
import { type ArmDream, type DreamPoint, HORIZONS } from '../../store/dreamPoints';
import { type ArmColour, armColours } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import { formatMeasured, formatPercent, plural } from '../format';
import { useLabState } from '../useLab';
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

interface PlotProps {
  readonly curve: Curve;
  readonly points: readonly DreamPoint[];
  readonly arms: readonly Arm[];
  readonly colours: ReadonlyMap<string, ArmColour>;
}

function CurvePlot({ curve: { title, of, format, most }, points, arms, colours }: PlotProps) {
  const values = (arm: string): (readonly [update: number, value: number])[] =>
    points.flatMap(({ update, byArm }) => {
      const value = byArm[arm] === undefined ? Number.NaN : of(byArm[arm]);
      return Number.isNaN(value) ? [] : [[update, value] as const];
    });
  const all = arms.map(({ id }) => values(id));
  const last = points.at(-1)?.update ?? 0;
  const largest = Math.max(0, ...all.flat().map(([, value]) => value));
  const top = most ?? (largest > 0 ? largest : 1);
  const x = (update: number): number => (last === 0 ? 0 : (100 * update) / last);
  const y = (value: number): number => 100 - (100 * Math.max(value, 0)) / top;
  return (
    <figure className="dream-curve small">
      <figcaption>{title}</figcaption>
      <span className="soft dream-curve-top">{format(top)}</span>
      <svg className="dream-curve-lines" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path className="dream-curve-axis" d="M0 0H100M0 100H100" />
        {arms.map(({ id }, index) => (
          <polyline
            key={id}
            className="dream-curve-line"
            stroke={colours.get(id)?.stroke}
            strokeDasharray={colours.get(id)?.dash}
            points={lineOf((all[index] ?? []).map(([update, value]) => [x(update), y(value)]))}
          />
        ))}
      </svg>
      <span className="soft dream-curve-foot">
        <span>update 0</span>
        <span>{last}</span>
      </span>
    </figure>
  );
}

/** A single point is a dash at its place. */
function lineOf(places: readonly (readonly [x: number, y: number])[]): string {
  const [only] = places;
  const drawn = places.length === 1 && only !== undefined ? [[Math.max(0, only[0] - 3), only[1]], only] : places;
  return drawn.map(([x, y]) => `${x},${y}`).join(' ');
}

function PointsTable({ points, arms }: { points: readonly DreamPoint[]; arms: readonly Arm[] }) {
  return (
    <details className="small">
      <summary>Dreams over updates as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="sideways dream-curves-table" tabIndex={0} aria-label="Dreams over updates, table">
        <table>
          <thead>
            <tr>
              <th scope="col">update</th>
              <th scope="col">arm</th>
              {CURVES.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.toReversed().flatMap(({ update, byArm }) =>
              arms.map(({ id, name }) => {
                const dream = byArm[id];
                return dream === undefined ? null : (
                  <tr key={`${update}-${id}`} data-arm={id} data-update={update}>
                    <th scope="row">{update}</th>
                    <td>{name}</td>
                    {CURVES.map(({ title, of, format }) => (
                      <td key={title} data-value={of(dream)}>
                        {Number.isNaN(of(dream)) ? '–' : format(of(dream))}
                      </td>
                    ))}
                  </tr>
                );
              }),
            )}
          </tbody>
        </table>
      </section>
    </details>
  );
}
