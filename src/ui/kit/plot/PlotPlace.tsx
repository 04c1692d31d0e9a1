/** Place of a chart, of a given height: the chart is loaded when it comes on screen, and drawn when it is its turn. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { later } from './later';
import type { PlotProps } from './plot';
import { redraws, useOnScreen } from './turns';

const lazyPlot = later('The chart', () => import('./Plot').then((module) => module.Plot));
/** Preparation of a plot that has nothing left to compute. */
const PREPARED = () => true;

interface Props {
  readonly className?: string;
  /** Height in pixels. */
  readonly height: number;
  readonly plot: PlotProps;
}

export function PlotPlace({ className = '', height, plot }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const isVisible = useOnScreen(place, lazyPlot, PREPARED);
  const drawn = useInTurn(plot);
  const Plot = lazyPlot.use();
  return (
    <div ref={place} className={`${className} shrinks relative`} style={{ height }}>
      {Plot !== null && isVisible && <Plot {...drawn} />}
    </div>
  );
}

/** The newest once it is its turn; until then the one before. */
function useInTurn(plot: PlotProps): PlotProps {
  const [drawn, setDrawn] = useState(plot);
  const newest = useRef(plot);
  const draw = useCallback(() => flushSync(() => setDrawn(newest.current)), []);
  useEffect(() => {
    newest.current = plot;
    if (plot !== drawn) redraws.ask(draw, PREPARED);
  }, [plot, drawn, draw]);
  useEffect(() => () => redraws.forget(draw), [draw]);
  return drawn;
}
