/** Keeps the lab in this browser for later visits, and tells when a newer version has been published. Only of the built page. */
import { Workbox } from 'workbox-window';

/** Milliseconds between two looks for a newer version while the tab stays open. */
const LOOK_EVERY = 3_600_000;

/**
 * Milliseconds from the person's wish to the page's reload, at most. A browser leaves the version before in place while that
 * answers a request, for minutes in Chromium; a reload ends the requests of this tab.
 */
export const RELOAD_AFTER = 4000;

/** `tell` gets the function that changes this tab to the newer version. Browsers without secure context keep nothing. */
export async function keepOffline(tell: (reload: () => void) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const workbox = new Workbox('serviceWorker.js');
  const reload = (): void => location.reload();
  workbox.addEventListener('waiting', () =>
    tell(() => {
      const late = setTimeout(reload, RELOAD_AFTER);
      // A second reload would begin the first again, and ask the person again.
      workbox.addEventListener('controlling', () => clearTimeout(late));
      workbox.addEventListener('controlling', reload);
      workbox.messageSkipWaiting();
    }),
  );
  // Another tab asked for the new version: this one still shows the version before.
  workbox.addEventListener('controlling', ({ isUpdate }) => {
    if (isUpdate === true) tell(reload);
  });
  // Where the browser forbids it (private windows of some), the lab is as it would be without.
  await workbox.register({ immediate: true }).catch(() => {});
  if (await isReplaced()) tell(reload);
  const look = (): void => void workbox.update().catch(() => {});
  setInterval(look, LOOK_EVERY);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
}

/** True if a newer version took over while this page was loading: its own script is kept no more, but that of another is. */
async function isReplaced(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src;
  if (script === undefined || navigator.serviceWorker.controller === null) return false;
  const [own, page] = await Promise.all([caches.match(script), caches.match('./index.html', { ignoreSearch: true })]);
  return own === undefined && page !== undefined;
}
