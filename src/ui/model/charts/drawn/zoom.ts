/** The part of the horizontal axis shown in all charts of metrics: one range for all, of the axis that it was chosen on. */
import { create } from 'zustand';
import type { CurveShape } from '../../../../measured/curves';
import type { ProgressAxis } from '../../../../measured/progress';
import type { Range } from '../../../kit/plot/range';

interface Zoomed {
  readonly over: ProgressAxis;
  /** Range on screen; null: everything. */
  readonly range: Range | null;
}

export const useZoomed = create<Zoomed>(() => ({ over: 'updates', range: null }));

/** Visible range of the axis; null for all of it, and where the chosen range starts beyond the run's end. */
export function zoomOf(over: ProgressAxis, end: number): Range | null {
  const { over: chosen, range } = useZoomed.getState();
  return chosen === over && range !== null && range[0] < end ? [range[0], Math.min(range[1], end)] : null;
}

/** Updates that are seen, for the shape of curves: more points fall on a part of a run. Other axes are not cut there. */
export function seenIn(over: ProgressAxis, updates: number): Pick<CurveShape, 'seen'> {
  const seen = over === 'updates' ? zoomOf(over, updates) : null;
  return seen === null ? {} : { seen };
}

export const zoomTo = (over: ProgressAxis, range: Range | null): void => useZoomed.setState({ over, range });
