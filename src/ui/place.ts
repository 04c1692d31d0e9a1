/**
 * Which page the address names: the lab, or the kernels (`#kernels`, `#kernels/log_prob/masked`). Links of experiments name the
 * lab, and so do those of its parts (`#training`).
 */
import { useSyncExternalStore } from 'react';
import { groupOf } from './groups/groups';

const KERNELS = /^#kernels(?:\/([\w/]*))?$/;

/** Whether a fragment names a place and no experiment. */
export const isPlaceLink = (fragment: string): boolean => KERNELS.test(fragment) || groupOf(fragment) !== null;

export const kernelsLink = (kernel?: string): string => (kernel === undefined ? '#kernels' : `#kernels/${kernel}`);

let labLink = '#';

/** Back to the lab, with the link it was left with. */
export function linkToLab(): string {
  return labLink;
}

/** Null in the lab; the kernel's name, or '' for the list of all. */
export function useKernelsPlace(): string | null {
  return useSyncExternalStore(listen, () => {
    const { hash } = location;
    const match = KERNELS.exec(hash);
    if (match === null) labLink = hash === '' ? '#' : hash;
    return match === null ? null : (match[1] ?? '');
  });
}

function listen(changed: () => void): () => void {
  const hear = ({ oldURL }: HashChangeEvent): void => {
    // The address is written while nothing of the page hears of it.
    const { hash } = new URL(oldURL);
    if (!KERNELS.test(hash)) labLink = hash === '' ? '#' : hash;
    changed();
  };
  addEventListener('hashchange', hear);
  return () => removeEventListener('hashchange', hear);
}
