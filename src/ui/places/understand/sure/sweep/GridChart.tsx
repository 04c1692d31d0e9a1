/** Success against the first setting of a grid, on the page and in its saved picture. */
import type { Experiment } from '../../../../../experiment/experiment';
import type { Axis } from '../../../../../experiment/grid/axes';
import type { CellNumbers } from '../../../../../experiment/grid/finding';
import { linesOf } from '../../../../../experiment/grid/lines';
import { formatPercent } from '../../../../kit/format';
import { SHARES } from '../../../../kit/plot/axes';
import { PlotPlace } from '../../../../kit/plot/PlotPlace';
import type { PlotProps } from '../../../../kit/plot/plot';
import { armColours } from '../../../../model/armColour';
import { shareInWords, shareOf } from './shares';

/** Pixels between the first and last value and the plot's edges, and right of it for the names of lines. */
const [INSET, NAMES] = [18, 150];
const COLOURS = 8;
/** Most lines whose intervals are drawn: more cover one another. The table has all of them. */
const MOST_BANDS = 3;

interface Props {
  readonly title: string;
  readonly experiment: Experiment;
  /** Axes, called by their labels. */
  readonly axes: readonly Axis[];
  /** Cells that are done. */
  readonly cells: readonly CellNumbers[];
}

export function GridChart(props: Props) {
  return <PlotPlace className="sweep-chart plot-thin" height={300} plot={gridPlot(props)} />;
}

export function gridPlot({ title, experiment, axes, cells }: Props): PlotProps {
  const { across, lines } = linesOf(axes, cells);
  const colours = armColours(experiment.arms);
  const name = axes[0]?.key ?? '';
  const valueAt = (place: number): string => across.find((one) => one.place === place)?.value ?? '';
  const series = lines.map((line, index) => {
    const own = axes.length === 1 ? colours.get(line.points[0]?.arm.id ?? '') : undefined;
    const { stroke, dash } = own ?? { stroke: `var(--arm-${(index % COLOURS) + 1})`, dash: '' };
    const points = line.points.map(({ place, arm }) => {
      const { mean, interval } = shareOf(arm);
      return { at: place, value: mean, band: lines.length > MOST_BANDS ? null : interval };
    });
    const last = points.at(-1)?.value;
    const label = last == null ? '' : formatPercent(last);
    return {
      id: line.name,
      name: line.short,
      title: line.name,
      kind: 'mean',
      colour: stroke,
      dash,
      points,
      hasDots: true,
      label,
    } as const;
  });
  const said = lines.map(({ name: of, points }) => {
    const each = points.map(({ place, arm }) => `${valueAt(place)}: ${shareInWords(arm)}`);
    return `${of}: ${each.join(', ')}`;
  });
  return {
    title,
    description: `${title}. ${said.join('; ')}`,
    head: 16,
    room: NAMES,
    across: {
      domain: [0, 1],
      ticks: across.map(({ place }) => place),
      inset: INSET,
      name,
      write: valueAt,
      words: (place) => `${name}: ${valueAt(place)}`,
    },
    up: { ...SHARES, write: formatPercent },
    series,
    format: (value, interval) =>
      interval == null
        ? formatPercent(value)
        : `${formatPercent(value)} (${formatPercent(interval[0])} to ${formatPercent(interval[1])})`,
  };
}
