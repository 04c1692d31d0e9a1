/**
 * The whole screen. Everything one needs to judge a run stands on the first screen of a desk-size window: the table, the
 * worlds and the two decisive charts. Below it stand the groups: why, how sure, training, settings.
 */
import { Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ArmTable } from './arms/ArmTable';
import { Chart } from './charts/Chart';
import { decisiveCharts } from './charts/definitions';
import { LeaveDialog } from './dialogs/LeaveDialog';
import { useDesk } from './formula/useDesk';
import { Belief } from './groups/Belief';
import { GroupNav } from './groups/GroupNav';
import { GROUP_IDS } from './groups/groups';
import { Settings } from './groups/Settings';
import { Training } from './groups/Training';
import { useGroupLink } from './groups/useGroupLink';
import { Why } from './groups/Why';
import { Header } from './header/Header';
import { useInspector } from './inspector/useInspector';
import { Boundary } from './kit/Boundary';
import { part } from './kit/part';
import { MachineBar } from './machine/MachineBar';
import { HiddenNote } from './messages/HiddenNote';
import { Messages } from './messages/Messages';
import { isHidden, PLACES, usePlace } from './place';
import { useTour } from './tour/tourStore';
import { useLabState } from './useLab';
import { useShortcuts } from './useShortcuts';
import { Worlds } from './worlds/Worlds';
import './app.css';
import './print.css';

const Interventions = part('The strip of changes', () =>
  import('./timeline/Interventions').then((module) => module.Interventions),
);

const Tour = part('The tour', () => import('./tour/Tour').then((module) => module.Tour));

const Inspector = part('The inspector', () => import('./inspector/Inspector').then((module) => module.Inspector));

const FormulaPanel = part('The editor of losses', () =>
  import('./formula/FormulaPanel').then((module) => module.FormulaPanel),
);

export function App() {
  const [help, setHelp] = useState(false);
  const touring = useTour((state) => state.isOn);
  const { place, name } = usePlace();
  const hidden = useLabState((state) => state.hidden);
  const { Page, title } = PLACES[place];
  const inLab = Page === undefined || isHidden(place, hidden);
  const writing = useDesk((state) => state.draft !== null);
  const inspecting = useInspector((state) => state.isOpen);
  const shown = useMemo(() => GROUP_IDS.filter((id) => id === 'arms' || !hidden.includes(id)), [hidden]);
  useScrollOf(inLab);
  useGroupLink(place);
  useShortcuts(() => setHelp(true));
  return (
    <>
      <Header help={help} onHelp={setHelp} />
      <MachineBar />
      <Messages />
      <LeaveDialog />
      {!inLab && (
        <Suspense fallback={<main className="loading soft">Loading: {title}.</main>}>
          <Page name={name} />
        </Suspense>
      )}
      <main className={`lab${shown.includes('settings') ? ' lab-settings' : ''}`} hidden={!inLab}>
        <div className="lab-main">
          <HiddenNote />
          <FirstScreen />
          <GroupNav shown={shown} />
          <Boundary what="Why">{shown.includes('why') && <Why />}</Boundary>
          <Boundary what="How sure">{shown.includes('belief') && <Belief />}</Boundary>
          <Boundary what="Training">{shown.includes('training') && <Training />}</Boundary>
        </div>
        <Boundary what="The settings">{shown.includes('settings') && <Settings />}</Boundary>
      </main>
      {touring && inLab && (
        <Suspense fallback={null}>
          <Tour />
        </Suspense>
      )}
      {writing && inLab && (
        <Suspense fallback={null}>
          <FormulaPanel />
        </Suspense>
      )}
      {inspecting && inLab && (
        <Suspense fallback={null}>
          <Inspector />
        </Suspense>
      )}
    </>
  );
}

function FirstScreen() {
  const started = useLabState((state) => state.running !== null);
  return (
    <div className={`screen ${started ? 'screen-started' : 'screen-idle'}`} id="arms">
      <div className="screen-arms">
        <Boundary what="The table of arms">
          <ArmTable />
        </Boundary>
      </div>
      <div className="screen-worlds">
        <Boundary what="The worlds">
          <Worlds />
        </Boundary>
      </div>
      <div className="screen-charts">
        {decisiveCharts.map((definition) => (
          <Chart key={definition.metric} definition={definition} />
        ))}
        <Suspense fallback={<div className="strip-waiting" />}>
          <Interventions />
        </Suspense>
      </div>
    </div>
  );
}

/** The lab is where it was when one comes back to it. */
function useScrollOf(inLab: boolean): void {
  const at = useRef(0);
  useLayoutEffect(() => {
    if (!inLab) return;
    scrollTo(0, at.current);
    const remember = () => {
      at.current = scrollY;
    };
    addEventListener('scroll', remember);
    return () => removeEventListener('scroll', remember);
  }, [inLab]);
}
