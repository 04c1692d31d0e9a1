/** Menus of a chart that shows something: its axis set by hand, and the chart saved. */
import { AxisMenu } from './AxisMenu';
import { ChartMenu } from './ChartMenu';
import type { ChartDefinition } from './definition';

export function ChartMenus({ definition }: { definition: ChartDefinition }) {
  return (
    <>
      <AxisMenu definition={definition} />
      <ChartMenu definition={definition} />
    </>
  );
}
