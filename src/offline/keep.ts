/** Keeps the lab in this browser for later visits, and tells when a newer version has been published. Only of the built page. */
import { Workbox } from 'workbox-window';

/** Milliseconds between two looks for a newer version while the tab stays open. */
const LOOK_EVERY = 3_600_000;

/** `tell` gets what changes this tab to the newer version. Browsers without secure context keep nothing. */
export async function keepOffline(tell: (reload: () => void) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const workbox = new Workbox('serviceWorker.js');
  const reload = (): void => location.reload();
  workbox.addEventListener('waiting', () =>
    tell(() => {
      workbox.addEventListener('controlling', reload);
      workbox.messageSkipWaiting();
    }),
  );
  // Another tab asked for it: this one still shows the version before.
  workbox.addEventListener('controlling', ({ isUpdate }) => {
    if (isUpdate === true) tell(reload);
  });
  // Where the browser forbids it (private windows of some), the lab is as it would be without.
  await workbox.register({ immediate: true }).catch(() => {});
  const look = (): void => void workbox.update().catch(() => {});
  setInterval(look, LOOK_EVERY);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
}
