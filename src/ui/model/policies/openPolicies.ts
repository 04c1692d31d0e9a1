/** Ways to the place of policies from elsewhere on the page: a message, an arm, a file dropped anywhere. */
import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { goTo, type PlaceId } from '../place';

interface Requested {
  /** File to be opened when there is one. */
  readonly file: File | null;
  /** True if something on the page asked: a link that hides policies does not hide that. */
  readonly isAsked: boolean;
}

const NOTHING: Requested = { file: null, isAsked: false };

export const policiesRequest = createStore<Requested>(() => NOTHING);

export function openPolicies(file: File | null = null): void {
  policiesRequest.setState({ file, isAsked: true });
  goTo('policies');
}

/** A request ends where one leaves the place. */
export function useEndOfRequest(place: PlaceId): void {
  useEffect(() => {
    if (place !== 'policies') policiesRequest.setState(NOTHING);
  }, [place]);
}

/** A file dropped on the page opens here; elsewhere it would take the place of the page. */
export function useDrop(): void {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      openPolicies(file);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}
