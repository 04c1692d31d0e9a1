/** The place of policies is gone to from several: the navigation, a message, a file dropped on the page. */
import { createStore } from 'zustand/vanilla';
import { goTo } from '../../place';

/** First act of the dialog: opens a file, or lets the trained policy of the world on screen play. */
export type PoliciesRequest = File | 'watch' | null;

interface Requested {
  readonly request: PoliciesRequest;
  /** By something on the page: a link that hides policies leaves that. */
  readonly isAsked: boolean;
}

export const policiesRequest = createStore<Requested>(() => ({ request: null, isAsked: false }));

export function openPolicies(request: PoliciesRequest = null): void {
  policiesRequest.setState({ request, isAsked: true });
  goTo('policies');
}
