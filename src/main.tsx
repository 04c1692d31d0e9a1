/** Opens the lab on the page's link and draws it. */
import './ui/theme.css';
import './ui/controls.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openLab } from './store/openLab';
import { App } from './ui/App';
import { LabContext } from './ui/useLab';

const lab = openLab(location.hash);

addEventListener('hashchange', () => lab.follow(location.hash));

// Once something is edited, the address no longer says what is on screen.
lab.store.subscribe((now, before) => {
  if (location.hash.length <= 1 || (now.edited === before.edited && now.running === before.running)) return;
  if (!lab.isFromLink()) history.replaceState(null, '', location.pathname + location.search);
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <LabContext value={lab}>
        <App />
      </LabContext>
    </StrictMode>,
  );
}
