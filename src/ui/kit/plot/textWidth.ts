const SIZE = '14px';
let context: CanvasRenderingContext2D | null = null;
const known = new Map<string, number>();

/** Width of a text on a chart, in pixels: in the page's font, small, where a digit is as wide as any. Each is measured once. */
export function textWidth(text: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return 8 * text.length;
  let width = known.get(text);
  if (width === undefined) {
    context.font = `${SIZE} ${getComputedStyle(document.body).fontFamily}`;
    width = context.measureText(text.replace(/\d/g, '0')).width;
    known.set(text, width);
  }
  return width;
}
