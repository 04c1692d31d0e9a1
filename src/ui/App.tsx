/**
 * The whole page: what stays in sight, and below it the place one is at. The lab is one screen: arms with their live numbers,
 * their worlds, the two curves that decide, and what was changed. All else is a place one goes to.
 */
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { part } from './kit/part';
import { LeaveDialog } from './lab/dialogs/LeaveDialog';
import { useDesk } from './lab/formula/useDesk';
import { AreaPlaces } from './lab/header/AreaPlaces';
import { Header } from './lab/header/Header';
import { LabScreen } from './lab/LabScreen';
import { HiddenNote } from './lab/messages/HiddenNote';
import { Messages } from './lab/messages/Messages';
import { useTour } from './lab/tour/tourStore';
import { useDrop, useEndOfRequest } from './pages/policies/openPolicies';
import { PLACES, type PlaceId } from './place';
import { usePlace } from './usePlace';
import { useShortcuts } from './useShortcuts';
import { useInspector } from './why/inspector/useInspector';
import './app.css';
import './print.css';

const Tour = part('The tour', () => import('./lab/tour/Tour').then((module) => module.Tour));

const Inspector = part('The inspector', () => import('./why/inspector/Inspector').then((module) => module.Inspector));

const FormulaPanel = part('The editor of losses', () =>
  import('./lab/formula/FormulaPanel').then((module) => module.FormulaPanel),
);

export function App() {
  const [help, setHelp] = useState(false);
  const touring = useTour((state) => state.isOn);
  const { place, name } = usePlace();
  const { Page, title } = PLACES[place];
  const writing = useDesk((state) => state.draft !== null);
  const inspecting = useInspector((state) => state.isOpen);
  // The page of kernels tells of itself and of nothing that is open.
  const besides = place !== 'kernels';
  useTitle(place);
  useScrollOf(place);
  useEndOfRequest(place);
  useDrop();
  useShortcuts(() => setHelp(true));
  return (
    <div className={`page page-${place}`}>
      <Header help={help} onHelp={setHelp} />
      <HiddenNote />
      <AreaPlaces />
      {Page !== undefined && (
        <Suspense fallback={<main className="loading soft">Loading the place “{title}”.</main>}>
          <Page name={name} />
        </Suspense>
      )}
      <LabScreen isShown={Page === undefined} />
      <Messages />
      <LeaveDialog />
      {touring && besides && (
        <Suspense fallback={null}>
          <Tour />
        </Suspense>
      )}
      {writing && besides && (
        <Suspense fallback={null}>
          <FormulaPanel />
        </Suspense>
      )}
      {inspecting && besides && (
        <Suspense fallback={null}>
          <Inspector />
        </Suspense>
      )}
    </div>
  );
}

function useTitle(place: PlaceId): void {
  useEffect(() => {
    if (place !== 'kernels') document.title = place === 'lab' ? 'Unmask' : `${PLACES[place].title} · Unmask`;
  }, [place]);
}

/** A place is where it was when one comes back to it. */
function useScrollOf(place: PlaceId): void {
  const left = useRef(new Map<PlaceId, number>());
  useLayoutEffect(() => {
    scrollTo(0, left.current.get(place) ?? 0);
    const remember = () => left.current.set(place, scrollY);
    addEventListener('scroll', remember);
    return () => removeEventListener('scroll', remember);
  }, [place]);
}
