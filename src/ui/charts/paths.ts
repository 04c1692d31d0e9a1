/** Curves as the data of SVG paths. A gap in the curve is null and parts the path, unless it was filtered out before. */

export type Place = readonly [x: number, y: number];

/** Where a band is at one place of the horizontal axis, from its low edge to its high one, in pixels. */
export interface BandPlace {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

export function linePath(places: readonly (Place | null)[]): string {
  let [path, open] = ['', false];
  for (const place of places) {
    if (place !== null) path += `${open ? 'L' : 'M'}${write(place[0])},${write(place[1])}`;
    open = place !== null;
  }
  return path;
}

/** Each unbroken part along its high edge and back along its low one. */
export function bandPath(places: readonly (BandPlace | null)[]): string {
  let [path, back] = ['', ''];
  const close = (): void => {
    if (back !== '') path += `${back}Z`;
    back = '';
  };
  for (const place of places) {
    if (place === null) close();
    else {
      const { x, low, high } = place;
      path += `${back === '' ? 'M' : 'L'}${write(x)},${write(high)}`;
      back = `L${write(x)},${write(low)}${back}`;
    }
  }
  close();
  return path;
}

const write = (pixels: number): number => Math.round(100 * pixels) / 100;
