/**
 * Preferences of the user, which are no part of the experiment: theme, backend, how charts are drawn. They are kept in
 * this browser only, and forgotten if it forbids storage.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { BACKEND_KINDS } from '../../experiment/machines';
import { isJson } from '../../foundation/json';
import { isLicence, LAB_LICENCE } from '../../foundation/licence';
import type { ProgressAxis } from '../../measured/progress';
import type { BackendChoice, DreamSampling } from '../../train/protocol';
import { readSaved, writeSaved } from '../saved';

export type Theme = 'system' | 'light' | 'dark';
export type CrossEntropyAxis = 'clipped' | 'whole' | 'log';
/** Dream drawn beside the world: none, of each next answer, or one from the first turn to the last. */
export type DreamShown = 'none' | 'next' | 'whole';

/** Updates that a point of the charts is the mean of. */
export const SMOOTHINGS = [1, 5, 20, 50] as const;
export type Smoothing = (typeof SMOOTHINGS)[number];

/** A chart's vertical axis as a person set it; null where it is as measured. */
export interface AxisByHand {
  readonly log: boolean;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Preferences {
  readonly theme: Theme;
  readonly backend: BackendChoice;
  readonly crossEntropyAxis: CrossEntropyAxis;
  /** Vertical axes set by hand, by metric. */
  readonly axes: Readonly<Record<string, AxisByHand>>;
  readonly progress: ProgressAxis;
  readonly smoothing: Smoothing;
  readonly dream: DreamShown;
  readonly dreamSampling: DreamSampling;
  /** Licence of saved policies, an SPDX expression. */
  readonly licence: string;
}

export type PreferencesStore = StoreApi<Preferences>;

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const BACKENDS: readonly BackendChoice[] = ['auto', ...BACKEND_KINDS];
const DREAMS: readonly DreamShown[] = ['none', 'next', 'whole'];
const DREAM_SAMPLING: readonly DreamSampling[] = ['greedy', 'sampled'];
const AXES: readonly CrossEntropyAxis[] = ['clipped', 'whole', 'log'];
const PROGRESS: readonly ProgressAxis[] = ['updates', 'tokens', 'seconds'];

const oneOf = <T>(choices: readonly T[], value: unknown, otherwise: T): T =>
  choices.includes(value as T) ? (value as T) : otherwise;

/** Axes that can be read; those of another version or another page are left out. */
function axesOf(axes: unknown): Preferences['axes'] {
  const isEnd = (end: unknown): boolean => end === null || Number.isFinite(end);
  const isAxis = (one: Partial<AxisByHand> | null): boolean =>
    typeof one?.log === 'boolean' && isEnd(one.low ?? null) && isEnd(one.high ?? null);
  const entries = isJson(axes) ? Object.entries(axes as Preferences['axes']) : [];
  return Object.fromEntries(
    entries.flatMap(([metric, one]) =>
      isAxis(one) ? [[metric, { log: one.log, low: one.low ?? null, high: one.high ?? null }]] : [],
    ),
  );
}

export function createPreferences(): PreferencesStore {
  const saved = readSaved('preferences');
  const choices = isJson(saved) ? saved : null;
  const store = createStore<Preferences>(() => ({
    theme: oneOf(THEMES, choices?.theme, 'system'),
    backend: oneOf(BACKENDS, choices?.backend, 'auto'),
    crossEntropyAxis: oneOf(AXES, choices?.crossEntropyAxis, 'clipped'),
    axes: axesOf(choices?.axes),
    progress: oneOf(PROGRESS, choices?.progress, 'updates'),
    smoothing: oneOf(SMOOTHINGS, choices?.smoothing, 5),
    dream: oneOf(DREAMS, choices?.dream, 'none'),
    dreamSampling: oneOf(DREAM_SAMPLING, choices?.dreamSampling, 'greedy'),
    licence: typeof choices?.licence === 'string' && isLicence(choices.licence) ? choices.licence : LAB_LICENCE,
  }));
  store.subscribe((preferences) => writeSaved('preferences', preferences));
  return store;
}
