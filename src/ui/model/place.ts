/**
 * Places of the page, and the address that says where one is. A fragment names the place first and the experiment after it:
 * `#why&preset=shop&seeds=3`, `#kernels/log_prob/masked`. Without a place it is the lab's: `#preset=shop`. A place without an
 * experiment shows the one that is open. The navigation has five areas, of some places each: `#understand` is the first of its area.
 */
import type { Hideable } from '../../experiment/link/hidden';

export interface PagePlace {
  /** Name of the place: its heading, among the places of its area, and the window's title. */
  readonly title: string;
  /** Parts of a link's `hide` of which each hides the place. The lab alone has none: it is always there. */
  readonly hiddenBy?: readonly Hideable[];
}

/** A new place is a line here, its name in an area or behind the gear, and its page in frame/pages.ts. */
const TABLE = {
  lab: { title: 'Lab' },
  why: { title: 'Why', hiddenBy: ['why'] },
  sure: { title: 'How sure', hiddenBy: ['belief'] },
  training: { title: 'Training', hiddenBy: ['training'] },
  settings: { title: 'All settings', hiddenBy: ['settings'] },
  runs: { title: 'Runs', hiddenBy: ['runs'] },
  library: { title: 'Gallery', hiddenBy: ['experiments'] },
  findings: { title: 'Findings', hiddenBy: ['belief', 'experiments'] },
  lessons: { title: 'Lessons', hiddenBy: ['lessons'] },
  methods: { title: 'Methods', hiddenBy: ['experiments'] },
  world: { title: 'Write a world', hiddenBy: ['experiments'] },
  loss: { title: 'Write a loss', hiddenBy: ['arms'] },
  policies: { title: 'Policies', hiddenBy: ['policies'] },
  batch: { title: 'Your batch', hiddenBy: ['experiments'] },
  kernels: { title: 'Kernels', hiddenBy: ['kernels'] },
  speed: { title: 'Speed', hiddenBy: ['speed'] },
} satisfies Readonly<Record<string, PagePlace>>;

export type PlaceId = keyof typeof TABLE;

export const PLACES: Readonly<Record<PlaceId, PagePlace>> = TABLE;

export const PLACE_IDS = Object.keys(TABLE) as PlaceId[];

export interface Area {
  readonly title: string;
  /** Places of the area, in order; its name leads to the first that is not hidden. */
  readonly places: readonly PlaceId[];
}

/** The navigation, in its order. */
const AREA_TABLE = {
  lab: { title: 'Lab', places: ['lab'] },
  understand: { title: 'Understand', places: ['why', 'sure', 'training', 'batch'] },
  build: { title: 'Build', places: ['world', 'loss'] },
  library: { title: 'Library', places: ['library', 'findings', 'lessons', 'methods'] },
  runs: { title: 'Runs', places: ['runs', 'policies'] },
} satisfies Readonly<Record<string, Area>>;

export const AREAS: Readonly<Record<string, Area>> = AREA_TABLE;

/** Places behind the gear, which has besides the machine, the theme and help. */
export const BEHIND_GEAR: readonly PlaceId[] = ['settings', 'kernels', 'speed'];

/** Names that places had in links made before. */
const FORMER: Readonly<Record<string, PlaceId>> = { arms: 'lab', belief: 'sure' };

/** Contents of an address. */
export interface Whereabouts {
  readonly place: PlaceId;
  /** Name behind the place's slash, such as a kernel; empty if there is none. */
  readonly name: string;
  /** Fragment of the experiment, with its `#`; empty if the address names none. */
  readonly experiment: string;
}

/** A name is as long as one can be: the page repeats one that it does not know. */
const ADDRESS = /^#([a-z]+)(?:\/([\w/.-]{0,80}))?(?:&(.*))?$/s;

/**
 * Contents of an address. A fragment that names no place is an experiment's, also of a broken link. An area is the
 * first of its places that is not hidden.
 */
export function whereabouts(fragment: string, hidden: readonly Hideable[] = []): Whereabouts {
  const [, word = '', name = '', rest = ''] = ADDRESS.exec(fragment) ?? [];
  const place = PLACE_IDS.find((id) => id === word) ?? placeOfArea(word, hidden) ?? own(FORMER, word);
  if (place === undefined) return { place: 'lab', name: '', experiment: fragment.length > 1 ? fragment : '' };
  return { place, name, experiment: rest === '' ? '' : `#${rest}` };
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

function placeOfArea(word: string, hidden: readonly Hideable[]): PlaceId | undefined {
  const places = own(AREAS, word)?.places;
  return places?.find((id) => !isHidden(id, hidden)) ?? places?.[0];
}

/** The fragment that says both; empty for the lab without an experiment. */
export function fragmentOf({ place, name, experiment }: Whereabouts): string {
  if (place === 'lab') return experiment;
  const at = name === '' ? place : `${place}/${name}`;
  return experiment === '' ? `#${at}` : `#${at}&${experiment.slice(1)}`;
}

export const fragmentTo = (place: PlaceId, name: string): string => (name === '' ? `#${place}` : `#${place}/${name}`);

/**
 * Address for the `href` of a link to a place, with the experiment that is open. The whole address: a link that begins
 * with # and is out of sight would pass for one that skips a part of the page.
 */
export const placeLink = (place: PlaceId, name = ''): string => withFragment(fragmentTo(place, name));

/** Address of the page with another fragment; whole, for a path that begins with two slashes would lead to another host. */
export const withFragment = (fragment: string): string => location.href.replace(/(#.*)?$/s, () => fragment);

/** Address of the lab in a page of its own, for a link in another page's frame, which asks for one part of it. */
export function labLink(fragment: string): string {
  const address = new URL(withFragment(fragment));
  address.search = '';
  return address.href;
}

/**
 * Goes to a place like a link, but at once: a dialog that is left is gone before anything else is pressed. At that
 * place already, it does nothing.
 */
export function goTo(place: PlaceId, name = ''): void {
  const to = fragmentTo(place, name);
  if (to === `#${here()}`) return;
  history.pushState(null, '', to);
  dispatchEvent(new Event('hashchange'));
}

/** The present place: place and name as an address writes them, `lab` or `kernels/log_prob/masked`. */
export function here(hidden: readonly Hideable[] = []): string {
  const { place, name } = whereabouts(location.hash, hidden);
  return name === '' ? place : `${place}/${name}`;
}

/** True if a link's `hide` takes the place away. */
export const isHidden = (place: PlaceId, hidden: readonly Hideable[]): boolean =>
  PLACES[place].hiddenBy?.some((part) => hidden.includes(part)) === true;
