/** The place of policies is gone to from several: the navigation, a message, a file dropped on the page. */
import { createStore } from 'zustand/vanilla';
import { goTo } from '../place';

/** What the dialog does at once: opens a file, or lets the trained policy of the world on screen play. */
export type PoliciesRequest = File | 'watch' | null;

export const policiesRequest = createStore<{ readonly request: PoliciesRequest }>(() => ({ request: null }));

export function openPolicies(request: PoliciesRequest = null): void {
  policiesRequest.setState({ request });
  goTo('policies');
}
