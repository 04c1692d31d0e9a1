/** Redrawing of a metric's chart: when it is due, and what its curves compute before. */
import { useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { SLICE } from '../../../../foundation/slices';
import type { CurveShape, CurveSource } from '../../../../measured/curves';
import type { MetricName } from '../../../../rl/measure/metrics';
import type { Lab } from '../../../../store/openLab';
import { type Prepare, redraws } from '../../../kit/plot/turns';
import { useLab } from '../../useLab';
import { type ChartDefinition, windowOf } from '../kinds/definition';
import { seenIn, useZoomed } from './zoom';

/** Points a line is drawn with at most: fewer while it grows, so that a redraw takes well under 50 ms. */
const POINTS = 240;
const POINTS_RUNNING = 150;

/** Shape of a chart's curves now: number of points, axis, window and extent. */
export function shapeOf(
  { store, preferences }: Pick<Lab, 'store' | 'preferences'>,
  definition: ChartDefinition,
): CurveShape {
  const { phase, running, edited } = store.getState();
  const { progress: axis, smoothing } = preferences.getState();
  const most = phase === 'running' ? POINTS_RUNNING : POINTS;
  // Over tokens each arm has places of its own, and the chart is drawn from all of them.
  const limit = axis === 'tokens' ? Math.floor(most / Math.min(4, (running ?? edited).arms.length)) : most;
  return { limit, axis, window: windowOf(definition, smoothing), ...seenIn(axis, (running ?? edited).updates) };
}

/** Preparation of a chart: its curves, their floors, and those of the run behind it. */
export function usePrepare(definition: ChartDefinition): Prepare {
  const lab = useLab();
  return useCallback(() => {
    const { metric, floor } = definition;
    const shape = shapeOf(lab, definition);
    const until = performance.now() + SLICE;
    const advance = (curves: CurveSource | null, of: MetricName): boolean =>
      curves === null || curves.advance(of, shape, until);
    const curves = lab.curves();
    const behind = lab.store.getState().ghost?.curves ?? null;
    return advance(curves, metric) && (floor === null || advance(curves, floor)) && advance(behind, metric);
  }, [lab, definition]);
}

/** Redraws the component when there are new measurements and it can be seen. Returns a way to ask for one more. */
export function useRedraw(visible: boolean, prepare: Prepare): () => void {
  const { store, preferences } = useLab();
  const [, setCount] = useState(0);
  const [draw] = useState(() => () => flushSync(() => setCount((count) => count + 1)));
  const again = useCallback(() => redraws.ask(draw, prepare), [draw, prepare]);
  useEffect(() => {
    if (!visible) return;
    const stop = store.subscribe((now, before) => {
      const changed =
        now.tick !== before.tick ||
        now.history !== before.history ||
        now.phase !== before.phase ||
        now.ghost !== before.ghost ||
        (now.running ?? now.edited) !== (before.running ?? before.edited);
      if (changed) again();
    });
    const stopPreferences = preferences.subscribe((now, before) => {
      if (now.progress !== before.progress || now.smoothing !== before.smoothing) again();
    });
    const stopZoom = useZoomed.subscribe(again);
    return () => {
      stop();
      stopZoom();
      stopPreferences();
      redraws.forget(draw);
    };
  }, [visible, store, preferences, draw, again]);
  return again;
}

/** Goes on computing what is missing of a chart's curves, and then asks for a redraw. */
export function useCompletion(isComplete: boolean, prepare: Prepare, again: () => void): void {
  useEffect(() => {
    if (isComplete) return;
    const compute = (): void => {
      if (prepare()) again();
      else timer = setTimeout(compute, 0);
    };
    let timer = setTimeout(compute, 0);
    return () => clearTimeout(timer);
  });
}
