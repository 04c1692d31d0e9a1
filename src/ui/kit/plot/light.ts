/** The theme's light colours by name, for pictures that are drawn or printed away from the page. */
import theme from '../../theme.css?raw';

const LIGHT = new Map(
  [...theme.matchAll(/(--[\w-]+): light-dark\((#\w+),/g)].map(([, name = '', value]) => [name, value]),
);

/** Declarations of all of them, for a stylesheet. */
export const LIGHT_STYLE = [...LIGHT].map((entry) => entry.join(':')).join(';');

/** A drawing with its colours written out: few programs but browsers know variables. */
export const inLight = (svg: string): string =>
  svg.replaceAll(/var\((--[\w-]+)\)/g, (whole, name) => LIGHT.get(name) ?? whole);
