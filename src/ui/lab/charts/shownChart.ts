/** Which chart was asked for elsewhere on the page: it comes out of its fold, into view, and takes the focus. */
import { useSyncExternalStore } from 'react';
import type { MetricName } from '../../../rl/metrics';
import { goTo } from '../../place';
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

/** The chart is on its way into view: nobody else needs to look for it. */
export const chartFound = (): void => ask(null);

/** Whether the chart asked for is one of those wanted. */
export function useIsAsked(wanted: (metric: MetricName) => boolean): boolean {
  return useSyncExternalStore(listen, () => asked !== null && wanted(asked));
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
