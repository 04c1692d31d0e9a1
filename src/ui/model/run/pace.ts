/** Speed of the run on this machine, measured over its newest updates. */
import type { MetricHistory } from '../../../measured/history';
import { useLabState } from '../useLab';

/** Updates at most that it is measured over. */
const WINDOW = 20;

/** Seconds an update; null before there are two. The first one also prepares and examines, so it tells nothing of the others. */
export function paceOf(history: Pick<MetricHistory, 'count' | 'secondsOf'> | null): number | null {
  if (history === null || history.count < 2) return null;
  const from = Math.max(1, history.count - WINDOW);
  const taken = Array.from({ length: history.count - from }, (_, i) => history.secondsOf(from + i)).filter(
    (seconds) => !Number.isNaN(seconds),
  );
  return taken.length === 0 ? null : taken.reduce((sum, seconds) => sum + seconds, 0) / taken.length;
}

export function usePace(): number | null {
  const history = useLabState((state) => state.history);
  useLabState((state) => state.tick);
  return paceOf(history);
}
