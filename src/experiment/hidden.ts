/**
 * Parts of the page that a link hides from its receiver, who can show them again: `hide=settings,policies`. For a lesson in
 * which one thing is to be turned. It says nothing of the experiment, and a run is the same with it or without.
 */
import { refuse } from './linkReader';

export const HIDEABLE = {
  arms: 'editing the arms',
  experiments: 'other experiments and worlds',
  policies: 'policies as files',
  why: 'why',
  belief: 'how sure',
  training: 'training',
  settings: 'settings',
} as const;

export type Hideable = keyof typeof HIDEABLE;

export const HIDEABLES = Object.keys(HIDEABLE) as Hideable[];

/** The value of a link's `hide`. Throws for a name that is none or that is there twice. */
export function readHidden(text: string): Hideable[] {
  const names = text.split(',');
  return names.map((name, index) => {
    const known = HIDEABLES.find((candidate) => candidate === name);
    if (known === undefined) {
      return refuse('hide', `cannot hide “${name.slice(0, 40)}”`, `Name some of: ${HIDEABLES.join(', ')}.`);
    }
    if (names.indexOf(name) !== index) return refuse('hide', `names “${name}” twice`, 'Remove one of the two.');
    return known;
  });
}

/** A link to an experiment, with what it hides. */
export function withHidden(link: string, hidden: readonly Hideable[]): string {
  return hidden.length === 0 ? link : `${link}&hide=${hidden.join(',')}`;
}
