/** Menus of a chart that shows something: its axis set by hand, and the chart saved. */

import { ChartMenu } from './ChartMenu';
import { AxisMenu } from './drawn/AxisMenu';
import type { ChartDefinition } from './kinds/definition';

export function ChartMenus({ definition }: { definition: ChartDefinition }) {
  return (
    <>
      <AxisMenu definition={definition} />
      <ChartMenu definition={definition} />
    </>
  );
}
