/**
 * The header, in sight at every place: what this is, the areas of the page, which experiment in which world, Run and how it
 * stands. On a phone it is one line, and Run, how it stands, Share and the way to the experiments are at the window's lower edge.
 */

import { useState } from 'react';
import { Button } from '../../kit/Button';
import { PopoverButton } from '../../kit/PopoverButton';
import { part, within } from '../../kit/part';
import { worldName } from '../../model/experimentWords';
import { AREAS, isHidden, placeLink } from '../../model/place';
import { RunButtons } from '../../model/run/RunButtons';
import { Status } from '../../model/run/Status';
import { useAsking, useReproducing } from '../../model/useAsking';
import { useHidden } from '../../model/useHidden';
import { useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';
import { useTheme } from '../../model/useTheme';
import { LiveSheet } from '../../places/lab/live/LiveSheet';
import { Logo } from './Logo';
import './gear.css';
import './areas.css';
import './header.css';

const ShareDialog = part('Sharing', () => import('../share/ShareDialog'), 'ShareDialog');
const HelpDialog = part('Help', () => import('../dialogs/HelpDialog'), 'HelpDialog');

export function Header({ help, onHelp }: { help: boolean; onHelp: (open: boolean) => void }) {
  const [sharing, setSharing] = useState(false);
  const run = useRunElsewhere();
  useTheme();
  return (
    <header className={`header ${run} line wide`}>
      <SkipLink />
      <h1>
        <Logo />
      </h1>
      <AreaNav />
      <Experiment />
      <div className="header-run line apart firm">
        <RunButtons />
        <Status />
        <LiveSheet />
      </div>
      <Button className="share" data-testid="share" onClick={() => setSharing(true)}>
        Share
      </Button>
      <Gear onHelp={() => onHelp(true)} />
      {sharing && <ShareDialog onClose={() => setSharing(false)} />}
      {help && <HelpDialog onClose={() => onHelp(false)} />}
    </header>
  );
}

/**
 * Class of a header without Run, before a run: the lab asks its question, or shows a run that was sent, and a world is written,
 * beside a button that trains that.
 */
function useRunElsewhere(): string {
  const { place } = usePlace();
  const [asks, reproduces] = [useAsking(), useReproducing()];
  const isIdle = useLabState(({ running }) => running === null);
  if (place === 'world') return isIdle ? 'header-world' : '';
  return place === 'lab' && (asks || reproduces) ? 'header-first' : '';
}

/** Names of the experiment and its world: the way to the gallery's experiments, unless the link hides them. */
function Experiment() {
  const title = useLabState((state) => (state.running ?? state.edited).title);
  const [world, next] = useWorldNames();
  const worlds = next === null ? world : `${world}; next: ${next}`;
  const names = (
    <>
      <span className="title one-line" title={title}>
        {title}
      </span>
      <span className="title-world one-line soft" title={worlds}>
        {worlds}
      </span>
    </>
  );
  if (useHidden('experiments')) return <div className="header-experiment shrinks">{names}</div>;
  return (
    <a className="header-experiment shrinks" href={placeLink('library', 'experiment')} data-testid="choose-experiment">
      {names}
      <span className="hidden-text">, choose another experiment</span>
      <span className="header-phone" aria-hidden="true">
        Experiments
      </span>
    </a>
  );
}

/** Names of the world that trains, or did, and of the one that waits for a restart; null where that is the same. */
function useWorldNames(): readonly [string, string | null] {
  const edited = useLabState((state) => state.edited.environment);
  const running = useLabState((state) => state.running?.environment ?? null);
  const later = worldName(edited);
  if (running === null || running === edited || JSON.stringify(running) === JSON.stringify(edited))
    return [later, null];
  const now = worldName(running);
  return [now, now === later ? 'other settings' : later];
}

/** Areas of the page as links, each to a place; the address is completed with the experiment that is open. */
function AreaNav() {
  const { place } = usePlace();
  const hidden = useLabState((state) => state.hidden);
  return (
    <nav className="areas" aria-label="Areas of the page">
      <ul>
        {Object.entries(AREAS).map(([id, { title, places }]) => {
          const first = places.find((one) => !isHidden(one, hidden));
          if (first === undefined) return null;
          return (
            <li key={id}>
              <a href={placeLink(first)} aria-current={places.includes(place)} data-testid={`to-${id}`}>
                {title}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const GearPanel = within('What is behind the gear', () => import('./GearPanel'), 'GearPanel');

/** Menu of things needed now and then: all settings, the machine, the theme, help. */
function Gear({ onHelp }: { readonly onHelp: () => void }) {
  const name = 'Settings, machine and help';
  return (
    <PopoverButton
      label={name}
      name={name}
      words={<Wheel />}
      className="gear-button soft firm round hand"
      testId="gear"
    >
      {(close) => <GearPanel onHelp={onHelp} close={close} />}
    </PopoverButton>
  );
}

/** Eight teeth around a hole. */
function Wheel() {
  return (
    <svg viewBox="-12 -12 24 24" width="20" height="20" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.75">
        <circle r="6.5" />
        <circle r="2.25" />
        {[0, 45, 90, 135, 180, 225, 270, 315].map((turn) => (
          <path key={turn} d="M0-6.5v-3.5" strokeWidth="3" transform={`rotate(${turn})`} />
        ))}
      </g>
    </svg>
  );
}

/** First stop of the keyboard: past the header to what the place is about, in the lab to its question and Run. Seen while focused. */
function SkipLink() {
  const skip = () => {
    const main = document.querySelector('main:not([hidden])');
    const [about] = main?.getElementsByClassName('skip-here') ?? [];
    const target = about ?? main;
    if (!(target instanceof HTMLElement)) return;
    target.tabIndex = -1;
    target.focus();
  };
  return (
    <Button className="skip" data-testid="skip" onClick={skip}>
      Skip to the content
    </Button>
  );
}
