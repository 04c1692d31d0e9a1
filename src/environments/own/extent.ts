/** Room that the parts of a drawing of shapes take, in its units: the usual height of letters, and parts that are cut off. */
import { excerpt } from '../../foundation/errors';
import type { WorldDrawing } from './drawing';

type Shapes = Extract<WorldDrawing, { kind: 'shapes' }>;
type Shape = Shapes['shapes'][number];
type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Height of letters that do not say theirs: 16 of them would cross the drawing. */
export const lettersOf = ({ width, height }: Pick<Shapes, 'width' | 'height'>): number =>
  Math.min(width, 2 * height) / 16;

/** Width of a letter as a share of its height: narrow ones, so that no text is blamed that fits. */
const NARROW = 0.45;

/** Complaint about the first part that lies outside by more than a letter's height; null where all are inside. */
export function cutOff(drawing: Shapes): string | null {
  const { width, height, shapes } = drawing;
  const room = lettersOf(drawing);
  for (const shape of shapes) {
    const [left, top, right, bottom] = boxOf(shape, room);
    const size = `the drawing (${width} × ${height})`;
    if (right - left > width + room || bottom - top > height + room) return `${nameOf(shape)} is larger than ${size}.`;
    const isInside = left >= -room && top >= -room && right <= width + room && bottom <= height + room;
    if (!isInside) return `${nameOf(shape)} lies outside ${size}: x is counted from its left, y from its top.`;
  }
  return null;
}

function boxOf(shape: Shape, letters: number): Box {
  const { x, y } = shape;
  if (shape.shape === 'rect') return [x, y, x + shape.width, y + shape.height];
  if (shape.shape === 'circle') return [x - shape.radius, y - shape.radius, x + shape.radius, y + shape.radius];
  if (shape.shape === 'line') {
    return [Math.min(x, shape.toX), Math.min(y, shape.toY), Math.max(x, shape.toX), Math.max(y, shape.toY)];
  }
  const size = shape.size ?? letters;
  return [x, y - size, x + NARROW * size * shape.text.length, y];
}

const nameOf = (shape: Shape): string =>
  shape.shape === 'text' ? `“${excerpt(shape.text, 30)}”` : `A ${shape.shape} at ${shape.x}, ${shape.y}`;
