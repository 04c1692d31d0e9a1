/** Placement of a chart's drawings, in pixels. */
export interface Placement {
  /** Rectangle of the curves, without the numbers of the axes. */
  readonly area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly toX: (at: number) => number;
  readonly toY: (value: number) => number;
}
