/** The curves of one chart as they leave the page. */
import { type CurvePoint, type CurveShape, type CurveSource, completed } from '../../store/curves';
import type { ChartDefinition } from '../charts/definition';
import { isFloor } from '../charts/floor';

export async function drawnCurves(
  curves: CurveSource,
  { metric, floor }: ChartDefinition,
  shape: CurveShape,
): Promise<{ points: readonly CurvePoint[]; floors: readonly CurvePoint[] }> {
  const { points } = await completed(curves, metric, shape);
  const floors = floor === null ? [] : (await completed(curves, floor, shape)).points;
  return { points, floors: isFloor(floors) ? floors : [] };
}
