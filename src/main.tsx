/** Opens the lab on the page's link and draws it. */
import './ui/theme.css';
import './ui/controls.css';
import { lazy, StrictMode, Suspense, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { openLab } from './store/openLab';
import { App } from './ui/App';
import { embedOf } from './ui/embed/address';
import { isPlaceLink } from './ui/place';
import { LabContext } from './ui/useLab';

/** The experiment's link that the lab shows; places have none. */
let followed = isPlaceLink(location.hash) ? '' : location.hash;
const wanted = embedOf(location.search);
const lab = wanted === null ? openLab(followed) : openLab(followed, undefined, null);
// Recorded curves are an extra: where their code cannot be loaded, the charts are without them.
import('./store/recorded').then(({ followRecordings }) => followRecordings(lab.store)).catch(() => {});

/** While a link takes the page, neither what was there nor what comes is the link's. */
let following = false;

addEventListener('hashchange', () => {
  const { hash } = location;
  // From the kernels back to the lab: the experiment is as it was left.
  if (hash.length <= 1 || isPlaceLink(hash) || hash === followed) return tidy();
  followed = hash;
  following = true;
  lab.follow(hash);
  following = false;
  tidy();
});

// Once something is edited, the address no longer says what is on screen.
lab.store.subscribe((now, before) => {
  if (!following && (now.edited !== before.edited || now.running !== before.running)) tidy();
});

function tidy(): void {
  const { hash, pathname, search } = location;
  if (hash.length <= 1 || isPlaceLink(hash) || lab.isFromLink()) return;
  history.replaceState(null, '', pathname + search);
  followed = '';
}

const Embedded = lazy(() => import('./ui/embed/Embedded').then((module) => ({ default: module.Embedded })));

const root = document.getElementById('root');
if (root !== null) {
  const page = createRoot(root);
  // What nobody waits for is drawn in short tasks, and the whole page is much.
  startTransition(() =>
    page.render(
      <StrictMode>
        <LabContext value={lab}>
          <Suspense>{wanted === null ? <App /> : <Embedded wanted={wanted} />}</Suspense>
        </LabContext>
      </StrictMode>,
    ),
  );
}
