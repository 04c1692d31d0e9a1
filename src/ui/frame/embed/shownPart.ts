/** The part of the lab that a frame shows, by its name in the address (address.ts). */
import type { Arm } from '../../../experiment/experiment';
import type { ChartDefinition } from '../../model/charts/kinds/definition';
import { allCharts } from '../../model/charts/kinds/definitions';

const CHART = /^chart-(\w+)$/;

/** Kind of a frame's part: an arm, a chart, or nothing this lab knows. */
export function findPart(
  part: string,
  arms: readonly Arm[],
): { readonly arm: Arm | undefined; readonly chart: ChartDefinition | undefined } {
  const name = CHART.exec(part)?.[1];
  return { arm: arms.find(({ id }) => id === part), chart: allCharts.find(({ metric }) => metric === name) };
}
