/**
 * One chart, as large as its place. It is loaded apart from the page. A pointer over it, or the arrow keys once it has the focus,
 * move the crosshair from one measured place to the next, on all plots that share it.
 */
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useId, useMemo, useRef } from 'react';
import { useSize } from '../useSize';
import { numbersLeft } from './axes';
import { Curves } from './Curves';
import { pointAt, usePointed } from './crosshairs';
import { Ground } from './Ground';
import { Names } from './Names';
import { placeOf } from './paths';
import type { Placement } from './placement';
import type { PlotProps, Series } from './plot';
import { placesOf, pointUpTo } from './rows';
import './plot.css';

/** Pixels for the numbers of the horizontal axis; and for an axis' name. */
const [NUMBERS_BELOW, NAME] = [24, 20];

/** Size in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** `size`: otherwise it fills its place. */
export const Plot = memo(function Plot(props: PlotProps & { readonly size?: Size }) {
  const place = useRef<HTMLDivElement>(null);
  const measured = useSize(place);
  const size = props.size ?? measured;
  return (
    <div ref={place} className="plot cover full">
      {size.width > 0 && size.height > 0 && <Drawing {...props} size={size} />}
    </div>
  );
});

interface PointedProps {
  readonly at: number;
  readonly series: readonly Series[];
  readonly placement: Placement;
}

function Drawing(props: PlotProps & { readonly size: Size }) {
  const { title, description, across, up, reference = null, together, size, over } = props;
  const series = useMemo(() => props.series.filter(({ points }) => points.length > 0), [props.series]);
  const places = useMemo(() => placesOf(series), [series]);
  const own = useId();
  const shared = together ?? own;
  const pointed = usePointed(shared);
  const at = pointed !== null && places.includes(pointed) ? pointed : null;
  useEffect(() => () => pointAt(own, null), [own]);
  const placement = placementOf(props);
  const { area, toX, toY } = placement;
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const isOver = x >= area.x && x <= area.x + area.width;
    pointAt(shared, isOver ? (nearest(places, (place) => Math.abs(toX(place) - x)) ?? null) : null);
  };
  const walk = (event: KeyboardEvent) => {
    const index = at === null ? 0 : places.indexOf(at);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: places.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    pointAt(shared, places[Math.min(places.length - 1, Math.max(0, next))] ?? null);
  };
  const leave = () => pointAt(shared, null);
  return (
    <>
      <svg
        {...size}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the crosshair
        tabIndex={0}
        onPointerMove={point}
        onPointerLeave={leave}
        onKeyDown={walk}
        onFocus={() => pointAt(shared, places[0] ?? null)}
        onBlur={leave}
      >
        <title>{title}</title>
        <desc>{description}</desc>
        <Ground across={across} up={up} placement={placement} />
        {reference !== null && (
          <line
            className="plot-reference-line"
            x1={area.x}
            x2={area.x + area.width}
            y1={toY(reference.value)}
            y2={toY(reference.value)}
          />
        )}
        <Curves series={series} placement={placement} />
        <g className="plot-overlay">
          <Names {...props} placement={placement} />
          {over?.(placement)}
          {at !== null && <Pointed at={at} series={series} placement={placement} />}
        </g>
      </svg>
      {at !== null && (
        <div className="plot-told" style={besides(toX(at), size.width)}>
          <Crosshair {...props} places={places} at={at} />
        </div>
      )}
    </>
  );
}

/** A line upwards, and a dot on each mean that has a point there. */
function Pointed({ at, series, placement: { area, toX, toY } }: PointedProps) {
  const x = toX(at);
  return (
    <>
      <line className="plot-axis" x1={x} x2={x} y1={area.y} y2={area.y + area.height} />
      {series.map(({ id, kind, colour, points }) => {
        const value = points.find((point) => point.at === at)?.value ?? null;
        return kind === 'mean' && value !== null && <circle key={id} cx={x} cy={toY(value)} r="3" fill={colour} />;
      })}
    </>
  );
}

function placementOf({ across, up, head = 8, room = 12, size }: PlotProps & { readonly size: Size }): Placement {
  const below = NUMBERS_BELOW + (across.name === undefined ? 0 : NAME);
  const left = numbersLeft(up);
  const area = {
    x: left,
    y: head,
    width: Math.max(1, size.width - left - room),
    height: Math.max(1, size.height - head - below),
  };
  const inset = across.inset ?? 0;
  return {
    area,
    toX: placeOf(across, area.x + inset, area.x + area.width - inset),
    toY: placeOf(up, area.y + area.height, area.y),
  };
}

const nearest = (places: readonly number[], distance: (place: number) => number): number | undefined =>
  places.reduce<number | undefined>(
    (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
    undefined,
  );

/** Pixels between the crosshair and its words. */
const APART = 10;

/** Horizontal place beside x, on the side that has more room. */
const besides = (x: number, width: number) => (x < width / 2 ? { left: x + APART } : { right: width - x + APART });

type Props = Pick<PlotProps, 'across' | 'series' | 'marks' | 'format'> & {
  readonly places: readonly number[];
  readonly at: number;
};

/**
 * The numbers under the crosshair: every mean where it had come by then, or those of the run behind where there is no
 * other, and what is marked there.
 */
function Crosshair({ at, places, across, series, marks = [], format }: Props) {
  const before = places.findLast((place) => place < at) ?? Number.NEGATIVE_INFINITY;
  const passed = marks.filter((mark) => mark.at > before && mark.at <= at);
  const means = series.filter(({ kind }) => kind === 'mean');
  const isEmpty = means.every(({ points }) => points.length === 0);
  const told = isEmpty ? series.filter(({ kind }) => kind === 'behind') : means;
  return (
    <div className="crosshair small frame raised">
      <p className="soft">{across.words(at)}</p>
      {told.map(({ id, title, name, colour, points }) => {
        const point = pointUpTo({ points }, at);
        // A branch begins later: until then its line is its parent's.
        if (point === undefined && points.length > 0) return null;
        return (
          <p key={id}>
            <span style={{ color: colour }}>{isEmpty ? title : name}</span>{' '}
            {point?.value == null ? 'not measured' : format(point.value, point.band)}
          </p>
        );
      })}
      {[...new Set(passed.map(({ words }) => words))].map((words) => (
        <p key={words} className="soft">
          {words}
        </p>
      ))}
    </div>
  );
}
