/**
 * The whole page: what stays in sight, and below it the place one is at. The lab is one screen: arms with their live numbers,
 * their worlds, the two curves that decide, and what was changed. All else is a place one goes to.
 */
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { AreaPlaces } from './frame/header/AreaPlaces';
import { Header } from './frame/header/Header';
import { HiddenNote } from './frame/messages/HiddenNote';
import { Messages } from './frame/messages/Messages';
import { pageOf } from './frame/pages';
import { part } from './kit/part';
import { PLACES, type PlaceId } from './model/place';
import { useDrop, useEndOfRequest } from './model/policies/openPolicies';
import { useTour } from './model/tourStore';
import { useDesk } from './model/useDesk';
import { useInspector } from './model/useInspector';
import { useLab } from './model/useLab';
import { usePlace } from './model/usePlace';
import { LabScreen } from './places/lab/LabScreen';
import { useShortcuts } from './useShortcuts';
import './app.css';
import './print.css';

const LeaveDialog = part('The question before a run ends', () => import('./frame/dialogs/LeaveDialog'), 'LeaveDialog');

const Tour = part('The tour', () => import('./frame/tour/Tour'), 'Tour');

const Inspector = part('The inspector', () => import('./frame/inspector/Inspector'), 'Inspector');

/** Places beside which a loss is written: it changes their contents. */
const LOSS_BESIDE: readonly PlaceId[] = ['lab', 'why', 'sure', 'training', 'settings', 'world', 'loss'];

const FormulaPanel = part('The editor of losses', () => import('./places/build/loss/FormulaPanel'), 'FormulaPanel');

export function App() {
  const [help, setHelp] = useState(false);
  const leaving = useStore(useLab().leaving.store, ({ asked }) => asked !== null);
  const touring = useTour((state) => state.isOn);
  const { place, name } = usePlace();
  const Page = pageOf(place);
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
      {Page !== null && (
        <Suspense fallback={<main className="loading soft">Loading the place “{PLACES[place].title}”.</main>}>
          <Page name={name} />
        </Suspense>
      )}
      <LabScreen isShown={Page === null} />
      <Messages />
      {leaving && <LeaveDialog />}
      {touring && besides && <Tour />}
      {writing && LOSS_BESIDE.includes(place) && <FormulaPanel />}
      {inspecting && besides && <Inspector />}
    </div>
  );
}

function useTitle(place: PlaceId): void {
  useEffect(() => {
    if (place !== 'kernels') document.title = place === 'lab' ? 'Unmask' : `${PLACES[place].title} · Unmask`;
  }, [place]);
}

/** Keeps the scroll position of a place until one comes back to it. */
function useScrollOf(place: PlaceId): void {
  const left = useRef(new Map<PlaceId, number>());
  useLayoutEffect(() => {
    scrollTo(0, left.current.get(place) ?? 0);
    const remember = () => left.current.set(place, scrollY);
    addEventListener('scroll', remember);
    return () => removeEventListener('scroll', remember);
  }, [place]);
}
