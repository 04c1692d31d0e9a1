/** A method of the field as the page and docs/field.md tell it, and the short words in which the lists beside this are written. */

import type { ObjectiveId } from '../../../../experiment/settings/objectives';
import type { SettingValue } from '../../../../experiment/settings/setting';
import type { MetricName } from '../../../../rl/measure/metrics';
import type { PlaceId } from '../../../model/place';

/** Place of a method in the lab, which a link opens. */
export type Where =
  | { readonly kind: 'objective'; readonly id: ObjectiveId }
  | { readonly kind: 'experiment'; readonly id: string }
  /** A setting of an arm, which then stands beside the same without it; or of the experiment or its world, in the preset. */
  | {
      readonly kind: 'setting';
      readonly path: string;
      readonly value: SettingValue;
      readonly preset: string;
      /** Other settings of the arm or the world, without which it would have no effect. */
      readonly besides: Readonly<Record<string, SettingValue>>;
    }
  | { readonly kind: 'chart'; readonly metric: MetricName }
  /** A part of a place, by its heading. */
  | { readonly kind: 'place'; readonly place: PlaceId; readonly part: string; readonly name: string }
  /** A loss in docs/recipes, as the policy loss of an arm with these settings. */
  | { readonly kind: 'recipe'; readonly name: string; readonly besides: Readonly<Record<string, SettingValue>> };

export interface Method {
  readonly name: string;
  /** Other names: abbreviations spelled out, the paper's title, what people call it. */
  readonly also: readonly string[];
  /** One line on it. */
  readonly line: string;
  /** Places in the lab, the likeliest first; none for a method that is not here. */
  readonly where: readonly Where[];
  /** Differences from the source; for a method that is not here, the reason, or what it would take. Empty if there are none. */
  readonly differs: string;
  /** `arXiv 2503.14476`, a repository as `github.com/OWNER/NAME`, or in words; parted by commas. */
  readonly source: string;
}

export interface MethodGroup {
  readonly title: string;
  readonly methods: readonly Method[];
}

export const objective = (id: ObjectiveId): Where => ({ kind: 'objective', id });
export const experiment = (id: string): Where => ({ kind: 'experiment', id });
export const chart = (metric: MetricName): Where => ({ kind: 'chart', metric });
export const recipe = (name: string, besides: Readonly<Record<string, SettingValue>> = {}): Where => ({
  kind: 'recipe',
  name,
  besides,
});
export const setting = (
  path: string,
  value: SettingValue,
  preset = 'gridworld-small',
  besides: Readonly<Record<string, SettingValue>> = {},
): Where => ({ kind: 'setting', path, value, preset, besides });
export const place = (id: PlaceId, part: string, name = ''): Where => ({ kind: 'place', place: id, part, name });

/** `names`: its name, then others, parted by semicolons. */
export function method(
  names: string,
  source: string,
  line: string,
  where: readonly Where[] | Where,
  differs = '',
): Method {
  const [name = '', ...also] = names.split('; ');
  return { name, also, line, source, where: [where].flat(), differs };
}
