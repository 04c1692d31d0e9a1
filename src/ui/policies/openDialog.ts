/** The dialog of policies is opened from several places: its button, a message, a file dropped on the page. */
const OPENED = 'unmask-policies';

/** What the dialog does at once: opens a file, or lets the trained policy of the world on screen play. */
export type PoliciesRequest = File | 'watch' | null;

export function openPolicies(request: PoliciesRequest = null): void {
  dispatchEvent(new CustomEvent<PoliciesRequest>(OPENED, { detail: request }));
}

/** Returns what ends the listening. */
export function listenForPolicies(hear: (request: PoliciesRequest) => void): () => void {
  const listener = (event: Event) => hear((event as CustomEvent<PoliciesRequest>).detail);
  addEventListener(OPENED, listener);
  return () => removeEventListener(OPENED, listener);
}
