/** Entry of the page: opens the lab with the page's link and draws it. */
import './foundation/policedWorkers';
import './offline/arrive';
import './ui/theme.css';
import './ui/controls.css';
import { StrictMode, Suspense, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { loadAhead } from './foundation/apart';
import { openLab } from './store/openLab';
import { worldsForLink, worldsForPage } from './store/ownWorlds';
import { App } from './ui/App';
import { embedOf } from './ui/embed/address';
import { Embedded } from './ui/embed/Embedded';
import { Boundary } from './ui/kit/Boundary';
import { newVersion } from './ui/messages/newVersionStore';
import { isPlaceLink } from './ui/place';
import { LabContext } from './ui/useLab';

/** Fragment of the experiment that the lab shows; empty for links to places of the page. */
let followed = isPlaceLink(location.hash) ? '' : location.hash;
const wanted = embedOf(location.search);
// A world that somebody wrote needs its sandbox before it can be shown.
await worldsForPage(followed)?.catch(() => {});
const lab = wanted === null ? openLab(followed) : openLab(followed, undefined, null);
// Recorded curves are optional: if their code cannot be loaded, charts do without them.
import('./store/recorded').then(({ followRecordings }) => followRecordings(lab.store)).catch(() => {});

/** True while a link is being opened: changes of the store then are no edits. */
let following = false;

addEventListener('hashchange', () => {
  const { hash } = location;
  // Back from a place such as the kernels: the experiment is as it was left.
  if (hash.length <= 1 || isPlaceLink(hash) || hash === followed) return tidy();
  const follow = (): void => {
    lab.follow(hash, (open) => {
      followed = hash;
      following = true;
      history.replaceState(null, '', hash);
      open();
      following = false;
      tidy();
    });
    // Refused, or while the person is asked: the address is that of what is on screen.
    if (location.hash === hash && followed !== hash) showAddress(followed);
  };
  const opening = worldsForLink(hash);
  if (opening === null) follow();
  else void opening.then(follow, follow);
});

// After an edit the address no longer describes what is on screen, so the fragment is removed.
lab.store.subscribe((now, before) => {
  if (!following && (now.edited !== before.edited || now.running !== before.running)) tidy();
});

function tidy(): void {
  const { hash } = location;
  if (hash.length <= 1 || isPlaceLink(hash) || lab.isFromLink()) return;
  showAddress('');
  followed = '';
}

function showAddress(fragment: string): void {
  history.replaceState(null, '', location.pathname + location.search + fragment);
}

const root = document.getElementById('root');
if (root !== null) {
  const page = createRoot(root);
  // A transition lets React draw the large page in short tasks.
  startTransition(() =>
    page.render(
      <StrictMode>
        <LabContext value={lab}>
          <Boundary what="The page" otherwise={<Broken />}>
            <Suspense>{wanted === null ? <App /> : <Embedded wanted={wanted} />}</Suspense>
          </Boundary>
        </LabContext>
      </StrictMode>,
    ),
  );
}

function Broken() {
  return (
    <main className="loading">
      The page cannot be drawn. The experiment is in its link, and finished runs are kept in this browser: reload it.
    </main>
  );
}

/** Milliseconds from the page's first drawing to what nobody has asked for yet. */
const QUIET_AFTER = 3000;

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no such notice.
    if (globalThis.requestIdleCallback === undefined) setTimeout(resolve, 100);
    else requestIdleCallback(() => resolve(), { timeout: 5000 });
  });

// A guest in another page's frame loads what it shows and keeps nothing.
if (wanted === null) {
  setTimeout(async () => {
    await idle();
    if (import.meta.env.MODE === 'production') {
      // Where its code does not come, the next visit tries again.
      const keeping = import('./offline/keep').then(({ keepOffline }) =>
        keepOffline((reload) => newVersion.setState({ reload })),
      );
      await keeping.catch(() => {});
    }
    await loadAhead(idle);
  }, QUIET_AFTER);
}
