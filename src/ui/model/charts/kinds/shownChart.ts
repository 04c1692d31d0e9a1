/** The chart asked for elsewhere on the page: it comes out of its fold, into view, and takes the focus. */
import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import type { MetricName } from '../../../../rl/measure/metrics';
import { goTo } from '../../place';
import { usePlace } from '../../usePlace';
import { decisiveCharts } from './decisiveDefinitions';

let asked: MetricName | null = null;
const listeners = new Set<() => void>();

function ask(metric: MetricName | null): void {
  asked = metric;
  for (const listener of listeners) listener();
}

/** Goes to where the chart is. */
export function showChart(metric: MetricName): void {
  ask(metric);
  goTo(decisiveCharts.some((chart) => chart.metric === metric) ? 'lab' : 'training');
}

/** Chart that is asked for; null if none is. */
export const useAskedChart = (): MetricName | null => useSyncExternalStore(listen, () => asked);

/** True if the chart asked for is one of those wanted. */
export function useIsAsked(wanted: (metric: MetricName) => boolean): boolean {
  return useSyncExternalStore(listen, () => asked !== null && wanted(asked));
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Brings an element into view and into focus when its chart is asked for. */
export function useShown(element: RefObject<HTMLElement | null>, wanted: (metric: MetricName) => boolean): void {
  const { place } = usePlace();
  const isAsked = useIsAsked(wanted);
  useEffect(() => {
    // The chart's place is not there yet.
    if (!isAsked || (place !== 'lab' && place !== 'training')) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    focusOnce(element.current);
    element.current?.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' });
    // Found: nobody else needs to look for it.
    ask(null);
  }, [isAsked, element, place]);
}

/** Takes the focus now, but not whenever somebody presses on it. */
function focusOnce(element: HTMLElement | null): void {
  if (element === null) return;
  element.tabIndex = -1;
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  element.focus({ preventScroll: true });
}
