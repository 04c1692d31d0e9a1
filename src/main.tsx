/** Entry of the page: opens the lab with the page's link and draws it. */
import './foundation/policedWorkers';
import './offline/arrive';
import './ui/theme.css';
import './ui/kit/styles/layout.css';
import './ui/kit/styles/looks.css';
import './ui/kit/styles/controls.css';
import { StrictMode, Suspense, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { hostWorlds } from './environments/own/own';
import { apart, loadAhead } from './foundation/apart';
import { LinkAddress } from './store/edit/address';
import { entryState } from './store/edit/arrival';
import { openLab } from './store/openLab';
import { App } from './ui/App';
import { newVersion } from './ui/frame/messages/newVersionStore';
import { keepPresses } from './ui/keepPresses';
import { Boundary } from './ui/kit/Boundary';
import { part } from './ui/kit/part';
import { embedOf } from './ui/model/embedAddress';
import { fragmentOf, whereabouts, withFragment } from './ui/model/place';
import { LabContext } from './ui/model/useLab';

const Embedded = part('What is shown here', () => import('./ui/frame/embed/Embedded'), 'Embedded');

/** Fragment of the experiment that the lab opens with; empty if the address names none. */
const opened = whereabouts(location.hash).experiment;
const wanted = embedOf(location.search);
// A user's world runs in a Worker; the experiment is checked again when its answer comes.
const foreign = apart(() => import('./store/desk/foreignWorlds'));
hostWorlds(async () => (await foreign()).foreignWorlds((world) => lab.editor.lookAgain(world)));
const lab = wanted === null ? openLab(opened) : openLab(opened, undefined, null);
// Recorded curves are optional: if their code cannot be loaded, charts do without them.
import('./store/recorded/recorded').then(({ followRecordings }) => followRecordings(lab.store)).catch(() => {});

const address = new LinkAddress(
  lab,
  {
    fragment: () => whereabouts(location.hash).experiment,
    state: entryState,
    show: (experiment, state) => {
      const fragment = fragmentOf({ ...whereabouts(location.hash, lab.store.getState().hidden), experiment });
      history.replaceState(state, '', withFragment(fragment));
    },
  },
  opened,
);
addEventListener('hashchange', () => address.moved());

const root = document.getElementById('root');
if (root !== null) {
  keepPresses();
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

/** Milliseconds from the page's first drawing to the loading of parts that nobody has asked for yet. */
const QUIET_AFTER = 3000;

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no such notice.
    if (globalThis.requestIdleCallback === undefined) setTimeout(resolve, 100);
    else requestIdleCallback(() => resolve(), { timeout: 5000 });
  });

/** True in a browser that was told to save data. */
const savesData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

// A guest in another page's frame loads what it shows and keeps nothing.
if (wanted === null && !savesData) {
  setTimeout(async () => {
    await idle();
    if (import.meta.env.MODE === 'production') {
      // If the code for offline use does not load, the next visit tries again.
      const keeping = import('./offline/keep').then(({ keepOffline }) =>
        keepOffline((reload) => newVersion.setState({ reload })),
      );
      await keeping.catch(() => {});
    }
    await loadAhead(idle);
  }, QUIET_AFTER);
}
