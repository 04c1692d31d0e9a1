/** Words for an experiment: the name of its world, and how long a run takes. */
import { definitionFor } from '../../environments/registry';
import type { Experiment } from '../../experiment/experiment';

/** Name of a world: `Gridworld 6×6`. */
export function worldName({ id, settings }: Experiment['environment']): string {
  const title = definitionFor(id, settings)?.title ?? id;
  return typeof settings.size === 'number' ? `${title} ${settings.size}×${settings.size}` : title;
}

/** Minutes up to which each class is said. */
const CLASSES = [
  [1, 'under a minute'],
  [3, 'about 2 minutes'],
  [7, 'about 5 minutes'],
  [14, 'about 10 minutes'],
  [25, 'about 20 minutes'],
  [42, 'about half an hour'],
  [90, 'about an hour'],
  [180, 'about 2 hours'],
] as const;

export function durationWords(seconds: number): string {
  return CLASSES.find(([minutes]) => seconds < 60 * minutes)?.[1] ?? 'several hours';
}

/** Updates of a run that is a share as long, round and no fewer than 20. */
export function shorterRun(updates: number, share: number): number {
  const wanted = Math.max(20, updates * share);
  const step = 10 ** Math.max(1, Math.floor(Math.log10(wanted)));
  return Math.max(20, Math.round(wanted / step) * step);
}
