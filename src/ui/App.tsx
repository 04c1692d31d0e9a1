/**
 * The whole page: what stays in sight, and below it the place one is at. The lab is one screen: arms with their live numbers,
 * their worlds, the two curves that decide, and what was changed. All else is a place one goes to.
 */
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { part } from './kit/part';
import { LeaveDialog } from './lab/dialogs/LeaveDialog';
import { useDesk } from './lab/formula/useDesk';
import { Header } from './lab/header/Header';
import { LabScreen } from './lab/LabScreen';
import { HiddenNote } from './lab/messages/HiddenNote';
import { Messages } from './lab/messages/Messages';
import { useTour } from './lab/tour/tourStore';
import { policiesRequest } from './pages/policies/openDialog';
import { PoliciesPlace } from './pages/policies/PoliciesPlace';
import { goTo, isHidden, PLACES, type PlaceId, usePlace } from './place';
import { useLabState } from './useLab';
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
  const wanted = usePlace();
  const hidden = useLabState((state) => state.hidden);
  const isAsked = useStore(policiesRequest, (state) => state.isAsked) && wanted.place === 'policies';
  const place = isHidden(wanted.place, hidden) && !isAsked ? 'lab' : wanted.place;
  const seen = useSeen(place, wanted.name);
  const { Page, title } = PLACES[seen.place];
  const writing = useDesk((state) => state.draft !== null);
  const inspecting = useInspector((state) => state.isOpen);
  // The page of kernels tells of itself and of nothing that is open.
  const besides = place !== 'kernels';
  useTitle(place);
  useScrollOf(seen.place);
  useShortcuts(() => setHelp(true));
  return (
    <div className={`page page-${seen.place}`}>
      <Header help={help} onHelp={setHelp} />
      <HiddenNote />
      {Page !== undefined && (
        <Suspense fallback={<main className="loading soft">Loading the place “{title}”.</main>}>
          <Page name={seen.name} />
        </Suspense>
      )}
      <LabScreen isShown={Page === undefined} />
      <Messages />
      <LeaveDialog />
      <PoliciesPlace isHere={place === 'policies'} onClose={() => goTo(seen.place, seen.name)} />
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

/** The place in sight: that before, where one is at a place that lies over others. */
function useSeen(place: PlaceId, name: string): { readonly place: PlaceId; readonly name: string } {
  const before = useRef<{ place: PlaceId; name: string }>({ place: 'lab', name: '' });
  const seen = PLACES[place].isOver ? before.current : { place, name };
  useEffect(() => {
    before.current = seen;
  });
  return seen;
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
