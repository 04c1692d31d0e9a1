/**
 * Parts of the page that a link hides from its receiver, who can show them again: `hide=settings,policies`. It is for
 * lessons about one setting. It changes neither the experiment nor a run.
 */
import { excerpt } from '../../foundation/errors';
import { refuse } from './linkReader';

export const HIDEABLE = {
  arms: 'editing the arms',
  experiments: 'other experiments and worlds',
  policies: 'policies as files',
  why: 'why',
  belief: 'how sure',
  training: 'training',
  settings: 'settings',
  runs: 'kept runs',
  lessons: 'lessons',
  kernels: 'kernels',
  speed: 'speed',
} as const;

export type Hideable = keyof typeof HIDEABLE;

export const HIDEABLES = Object.keys(HIDEABLE) as Hideable[];

/** Parts that a link's `hide` names. Throws LabError for a name that is unknown or there twice. */
export function readHidden(text: string): Hideable[] {
  const names = text.split(',');
  return names.map((name, index) => {
    const known = HIDEABLES.find((candidate) => candidate === name);
    if (known === undefined) {
      return refuse('hide', `cannot hide “${excerpt(name)}”`, `Name some of: ${HIDEABLES.join(', ')}.`);
    }
    if (names.indexOf(name) !== index) return refuse('hide', `names “${name}” twice`, 'Remove one of the two.');
    return known;
  });
}

/** The link with the parts it hides appended. */
export function withHidden(link: string, hidden: readonly Hideable[]): string {
  return hidden.length === 0 ? link : `${link}&hide=${hidden.join(',')}`;
}
