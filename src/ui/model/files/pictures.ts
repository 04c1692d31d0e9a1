/** Charts of a run as pictures: what is seen of them on the page, drawn from at most so many points a line. */
import type { Arm } from '../../../experiment/experiment';
import { ROLES } from '../../../foundation/roles';
import { type CurveShape, type Curves, completed } from '../../../measured/curves';
import { pictureOf } from '../../kit/plot/picture';
import { type Drawable, drawingOf, placeOf } from '../charts/drawn/drawing';
import { noteOf, type SaidElsewhere } from '../charts/drawn/note';
import { plotOf } from '../charts/drawn/plotted';
import type { ChartDefinition } from '../charts/kinds/definition';
import { randomSuccessOf } from '../useRandomSuccess';

/** Points a line is drawn with at most. */
export const POINTS = 400;

interface Shown extends Omit<Drawable, 'curves' | 'randomSuccess'> {
  readonly curves: Curves;
  /** Text on the curves beside the picture. */
  readonly said: SaidElsewhere;
  /** Title of the picture, for readers who find it alone. */
  readonly description: string;
}

export async function chartPicture(
  definition: ChartDefinition,
  shape: CurveShape,
  shown: Shown,
  plotHeight?: number,
): Promise<string> {
  const { experiment, curves, ghost, said, description } = shown;
  const { metric, floor } = definition;
  const place = placeOf(definition, experiment);
  const randomSuccess = place === null ? null : await randomSuccessOf(place);
  await completed(curves, metric, shape);
  if (floor !== null) await completed(curves, floor, shape);
  if (ghost !== null) await completed(ghost.curves, metric, shape);
  const drawing = drawingOf(definition, shape, { ...shown, randomSuccess });
  const plot = plotOf(drawing);
  const across = { ...plot.across, name: drawing.horizontal.over };
  const about = { note: noteOf(drawing, said), description, ...(plotHeight === undefined ? {} : { plotHeight }) };
  return pictureOf({ ...plot, across }, about);
}

/** “World model: policy 1 on action, prediction 0.1 on observation”. */
export function inWords({ name, pg, ce }: Arm): string {
  const losses = ROLES.flatMap((role) => [
    ...(pg[role] > 0 ? [`policy ${pg[role]} on ${role}`] : []),
    ...(ce[role] > 0 ? [`prediction ${ce[role]} on ${role}`] : []),
  ]);
  return `${name}: ${losses.join(', ')}`;
}
