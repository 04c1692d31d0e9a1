/** A metric's drawing as a plot: each arm's mean over its band, floors, the run behind, and marks of what was changed. */
import type { CurvePoint } from '../../../../measured/curves';
import { formatSetting } from '../../../kit/format';
import { ticksBetween, type ValueAxis } from '../../../kit/plot/axes';
import type { Mark, PlotPoint, PlotProps, Series } from '../../../kit/plot/plot';
import type { Range } from '../../../kit/plot/range';
import { formatInterval } from '../kinds/definition';
import { placeInWords, writeTick } from '../progress';
import type { ChartDrawing, DrawnChange } from './drawing';

/** Pixels for names, right of the plot. */
export const ROOM = 118;

export function plotOf(drawing: ChartDrawing): PlotProps {
  const { definition, points, floors, arms, changes, horizontal, zoom, axis, reference } = drawing;
  const { title, unit, format, sparse } = definition;
  const ghosts = ghostSeries(drawing);
  const lines = (kind: Series['kind'], drawn: readonly CurvePoint[]): Series[] =>
    arms.map(({ id, name, colour: { stroke, dash } }, arm) => {
      const places = pointsOf(drawn, arm, axis);
      const mean = { dash, label: labelOf(places, drawing) };
      return { id, name, kind, colour: stroke, points: places, isJoined: sparse, ...(kind === 'mean' ? mean : {}) };
    });
  return {
    title: `${title}, ${unit}`,
    description: `Mean of each arm over its seeds, over ${horizontal.over}. The same numbers are under “As table”.`,
    across: {
      domain: zoom ?? [0, horizontal.end],
      ticks: zoom === null ? horizontal.ticks : ticksBetween(...zoom, 5),
      write: writeTick,
      words: (at) => placeInWords(horizontal.over, at),
    },
    up: { ...axis, write: unit.startsWith('of ') ? writePercent : writeValue },
    series: [
      ...ghosts.filter(({ kind }) => kind === 'behind'),
      ...lines(
        'floor',
        floors.map((point) => ({ ...point, band: [] })),
      ),
      ...lines('mean', points),
      ...ghosts.filter(({ kind }) => kind === 'same'),
    ],
    reference,
    behind: drawing.ghost === null ? '' : `dotted: ${drawing.ghost.label.replace(/^as /, '')}`,
    floor: floors.length === 0 ? '' : 'least possible',
    marks: changes
      .flatMap((change) => marksOf(change, drawing))
      .filter(({ at }) => zoom === null || isWithin(zoom, at)),
    format: (value, interval) => format(value) + (interval == null ? '' : ` ${formatInterval(definition, interval)}`),
    room: ROOM,
    together: horizontal.over,
  };
}

const isWithin = ([low, high]: Range, at: number): boolean => at >= low && at <= high;

const writePercent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;
const writeValue = (value: number): string => formatSetting(Number(value.toPrecision(3)));

/** An arm's line. On a logarithmic axis nothing at or below zero can be drawn. */
function pointsOf(points: readonly CurvePoint[], arm: number, { log, domain: [low] }: ValueAxis): PlotPoint[] {
  const least = log ? low : Number.NEGATIVE_INFINITY;
  return points.flatMap(({ at, mean, band }) => {
    const [place, value = null, interval = null] = [at[arm], mean[arm], band[arm]];
    if (place == null) return [];
    const drawn = interval === null ? null : ([Math.max(least, interval[0]), Math.max(least, interval[1])] as const);
    return [{ at: place, value: log && value !== null && value <= 0 ? null : value, band: drawn }];
  });
}

/** Arrow after the arm's name, where its line leaves the chart at its top; how far, the note under the chart says. */
function labelOf(places: readonly PlotPoint[], { axis }: ChartDrawing): string {
  const value = places.findLast((place) => place.value !== null)?.value ?? 0;
  return value > axis.domain[1] ? '↑' : '';
}

/**
 * Another run's means, in the colour of the arm of the same id, else in soft ink. One that lies on this run's own line is
 * drawn over it in the colour of the paper, so that one sees that there are two. Named where there is no other line.
 */
function ghostSeries(drawing: ChartDrawing): Series[] {
  const { ghost, points, arms, axis } = drawing;
  return (ghost?.lines ?? []).map(({ id, name, own, isSame }, arm) => {
    const places = pointsOf(ghost?.points ?? [], arm, axis).map(({ at, value }) => ({ at, value }));
    return {
      id,
      name,
      title: `${name}, ${ghost?.label}${isSame ? ': the same curve' : ''}`,
      kind: isSame ? 'same' : 'behind',
      colour: isSame ? 'var(--paper)' : (arms[own]?.colour.stroke ?? 'var(--soft-ink)'),
      points: places,
      isJoined: true,
      ...(points.length === 0 ? { label: labelOf(places, drawing) } : {}),
    };
  });
}

/** Marks of a change where it acts; a change of the next update waits for it. */
function marksOf({ update, places, words }: DrawnChange, { points, arms }: ChartDrawing): Mark[] {
  return places.flatMap(({ arm, at }) => {
    const value = points.find((point) => (point.at[arm] ?? Number.NEGATIVE_INFINITY) >= at)?.mean[arm];
    const colour = arms[arm]?.colour.stroke;
    return value == null || colour === undefined
      ? []
      : [{ at, value, colour, words, title: `update ${update}: ${words}` }];
  });
}
