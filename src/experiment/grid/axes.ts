/**
 * Axes of a grid: settings by their keys in links, each with its values, as one text such as
 * `batch.groupSize:2,4,8;policy.width:32,64`. Values stay text: only the setting itself can judge them.
 */
import { excerpt, LabError } from '../../foundation/errors';

export interface Axis {
  /** Key of a link's field. */
  readonly key: string;
  /** Values in the order given, each once. */
  readonly values: readonly string[];
}

/** Most axes, values on one of them, and combinations: a link may come from anyone, and all of them are checked at once. */
const GRID_LIMITS = { axes: 4, values: 32, cells: 256 } as const;

const FORM = 'Write it like batch.groupSize=2,4,8;policy.width=32,64.';

const refusal = (what: string, advice = FORM): LabError => new LabError('invalid-experiment', what, advice);

/** Axes in a text; key and values are parted by `:`, as in links, or by `=`. Throws LabError. */
export function readAxes(text: string): Axis[] {
  const axes = text.split(';', GRID_LIMITS.axes + 1).map(readAxis);
  if (axes.length > GRID_LIMITS.axes) throw refusal(`A sweep has at most ${GRID_LIMITS.axes} settings.`);
  const twice = axes.find(({ key }, index) => axes.findIndex((axis) => axis.key === key) !== index);
  if (twice !== undefined)
    throw refusal(`The sweep names ${excerpt(twice.key)} twice.`, 'Put all values into one list.');
  const cells = axes.reduce((product, { values }) => product * values.length, 1);
  if (cells < 2) throw refusal('A sweep of one value is an ordinary run.', 'Give a setting two values or more.');
  if (cells <= GRID_LIMITS.cells) return axes;
  const what = `The sweep has ${cells} combinations; at most ${GRID_LIMITS.cells} are trained one after the other.`;
  throw refusal(what, 'Take fewer values.');
}

function readAxis(text: string): Axis {
  const [, key = '', list = ''] = /^\s*([^\s=:]{1,128})\s*[=:](.*)$/s.exec(text) ?? [];
  const values = list.split(',', GRID_LIMITS.values + 1).map((value) => value.trim().replace(/^−/, '-'));
  if (key === '') throw refusal(`“${excerpt(text)}” is no setting with values.`);
  if (values.includes('')) throw refusal(`${key} has an empty value.`);
  if (values.length > GRID_LIMITS.values) throw refusal(`${key} has more than ${GRID_LIMITS.values} values.`);
  const again = values.find((value, index) => values.indexOf(value) !== index);
  if (again !== undefined) throw refusal(`${key} has the value ${excerpt(again)} twice.`, 'Give each value once.');
  return { key, values };
}

/** Text of axes in a link. */
export const writeAxes = (axes: readonly Axis[]): string =>
  axes.map(({ key, values }) => `${key}:${values.join(',')}`).join(';');

/** A link's fragment with a sweep appended. */
export const withSweep = (link: string, axes: readonly Axis[]): string =>
  axes.length === 0
    ? link
    : `${link}&sweep=${encodeURIComponent(writeAxes(axes)).replace(/%(3A|3B|2C)/g, (sign) => decodeURIComponent(sign))}`;
