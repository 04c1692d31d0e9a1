/**
 * Address of a part of the lab in another page's frame: `?embed=world-model` is an arm by its id,
 * `?embed=chart-entropy` a chart by its metric, `?embed=lesson-mask` a lesson; the fragment has the experiment, as in
 * every link.
 */
import type { Arm } from '../../experiment/experiment';
import { escapeMarkup } from '../kit/format';

const LESSON = /^lesson-(\w+)$/;

/** Name of the one part that `location.search` asks to be shown alone; null for the whole lab. */
export function embedOf(search: string): string | null {
  return new URLSearchParams(search).get('embed');
}

/** A link to the lab, made to show one part of it. */
export function embedLink(link: string, part: string): string {
  const [page = '', fragment = ''] = link.split('#');
  return `${page.split('?')[0]}?embed=${encodeURIComponent(part)}#${fragment}`;
}

/** HTML of a frame of this size, pixels, that shows the address in another page. */
export const frameOf = (address: string, title: string, [width, height]: readonly [number, number]): string =>
  `<iframe src="${escapeMarkup(address)}" title="${escapeMarkup(`Unmask: ${title}`)}" width="${width}" height="${height}" style="border: 0" loading="lazy"></iframe>`;

export const lessonPart = (lesson: string): string => `lesson-${lesson}`;

/** Name of the lesson that a part is; null if it is none. An arm of that id stands before it. */
export const lessonOf = (part: string, arms: readonly Arm[]): string | null =>
  arms.some(({ id }) => id === part) ? null : (LESSON.exec(part)?.[1] ?? null);
