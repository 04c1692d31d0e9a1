/**
 * Zoom across a plot: a drag over it chooses what is shown, a double press or Escape shows all of it again. The brush on its
 * horizontal axis does the same by keyboard and by finger: a handle at each end, moved with the arrow keys.
 */

import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../Button';
import { type Range, rangeOfDrag, rangeWith, STEPS, stepOf } from './range';

interface Props {
  /** The whole axis. */
  readonly whole: Range;
  /** The part of it in sight; null for everything. */
  readonly seen: Range | null;
  readonly onSee: (range: Range | null) => void;
  /** The plot's name, for those who only hear it. */
  readonly title: string;
  /** Words for a place. */
  readonly words: (at: number) => string;
  /** Pixels left and right of the plot's area. */
  readonly margins: readonly [left: number, right: number];
  /** True if the plot has handles on its axis. */
  readonly isBrushed: boolean;
  readonly children: ReactNode;
}

/** Pixels below which a drag is a press. */
const LEAST = 8;

export function Zoomable({ whole, seen, onSee, title, words, margins, isBrushed, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Range | null>(null);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  /** Share of the plot's area, from its left. */
  const shareAt = (x: number): number => {
    const { left, width } = (place.current as HTMLDivElement).getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - left - margins[0]) / Math.max(1, width - margins[0] - margins[1])));
  };
  const begin = (event: PointerEvent) => {
    // A finger scrolls the page, or moves the crosshair.
    if (event.pointerType === 'touch' || event.button !== 0 || event.target instanceof HTMLButtonElement) return;
    const from = event.clientX;
    let last: Range | null = null;
    const move = ({ clientX }: { readonly clientX: number }) => {
      last =
        Math.abs(clientX - from) < LEAST ? null : [shareAt(Math.min(from, clientX)), shareAt(Math.max(from, clientX))];
      setDrag(last);
    };
    const end = () => {
      stop.current();
      if (last !== null) onSee(rangeOfDrag(seen ?? whole, last));
    };
    const giveUp = ({ key }: { readonly key: string }) => {
      if (key === 'Escape') stop.current();
    };
    stop.current();
    stop.current = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('keydown', giveUp);
      setDrag(null);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('keydown', giveUp);
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || seen === null) return;
    event.stopPropagation();
    onSee(null);
  };
  const [left, right] = margins;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the brush does the same for those without a pointer
    <div
      ref={place}
      className="plot-zoom cover"
      // A press would give the chart the focus, and its crosshair the first place. A field that had the focus takes what was typed.
      onMouseDown={(event) => {
        event.preventDefault();
        if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
      }}
      onPointerDown={begin}
      onDoubleClick={() => onSee(null)}
      onKeyDown={leave}
    >
      {children}
      {drag !== null && (
        <span
          className="plot-drag"
          style={{
            left: `calc(${left}px + (100% - ${left + right}px) * ${drag[0]})`,
            width: `calc((100% - ${left + right}px) * ${drag[1] - drag[0]})`,
          }}
        />
      )}
      {isBrushed && (
        <div className="plot-brush" style={{ left: `${left}px`, right: `${right}px` }}>
          <Handle {...{ whole, seen, onSee, title, words }} end={0} />
          <Handle {...{ whole, seen, onSee, title, words }} end={1} />
        </div>
      )}
      {seen !== null && (
        <Button className="small plot-whole" onClick={() => onSee(null)}>
          Show all
        </Button>
      )}
    </div>
  );
}

type HandleProps = Omit<Props, 'margins' | 'isBrushed' | 'children'> & { readonly end: 0 | 1 };

/** Handle at an end of the range on screen, placed on the axis of the whole run. */
function Handle({ whole, seen, onSee, title, words, end }: HandleProps) {
  const range = seen ?? whole;
  const at = range[end];
  const step = stepOf(whole);
  const set = (value: number) => onSee(rangeWith(whole, range, end, value));
  const keys = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const to =
      event.key === 'Home' ? whole[0] : event.key === 'End' ? whole[1] : by === undefined ? null : at + by * step;
    if (to === null) return;
    event.preventDefault();
    set(to);
  };
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = (event.currentTarget.parentElement as HTMLElement).getBoundingClientRect();
    const share = (event.clientX - left) / Math.max(1, width);
    set(whole[0] + Math.round((share * (whole[1] - whole[0])) / step) * step);
  };
  return (
    <button
      type="button"
      role="slider"
      className={`plot-handle bare${seen === null ? '' : ' plot-handle-zoomed'}`}
      style={{ left: `${(100 * (at - whole[0])) / Math.max(1e-9, whole[1] - whole[0])}%` }}
      aria-label={`${title}: shown ${end === 0 ? 'from' : 'to'}`}
      aria-orientation="horizontal"
      aria-valuemin={whole[0]}
      aria-valuemax={whole[1]}
      aria-valuenow={at}
      aria-valuetext={words(at)}
      onKeyDown={keys}
      onMouseDown={({ currentTarget }) => currentTarget.focus()}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
    />
  );
}
