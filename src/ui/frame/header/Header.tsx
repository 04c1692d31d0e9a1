/**
 * The header, in sight at every place: what this is, the areas of the page, which experiment in which world, Run and how it
 * stands. On a phone it is one line, and Run, how it stands, Share and the way to the experiments are at the window's lower edge.
 */

import { Suspense, useState } from 'react';
import { Button } from '../../kit/Button';
import { part } from '../../kit/part';
import { worldName } from '../../model/experimentWords';
import { placeLink } from '../../model/place';
import { RunButtons } from '../../model/run/RunButtons';
import { Status } from '../../model/run/Status';
import { useAsking } from '../../model/useAsking';
import { useHidden } from '../../model/useHidden';
import { useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';
import { useTheme } from '../../model/useTheme';
import { LiveSheet } from '../../places/lab/live/LiveSheet';
import { AreaNav } from './AreaNav';
import { Gear } from './Gear';
import { Logo } from './Logo';
import { SkipLink } from './SkipLink';
import './header.css';

const ShareDialog = part('Sharing', () => import('../share/ShareDialog').then((module) => module.ShareDialog));
const HelpDialog = part('Help', () => import('../dialogs/HelpDialog').then((module) => module.HelpDialog));

interface Props {
  readonly help: boolean;
  readonly onHelp: (open: boolean) => void;
}

export function Header({ help, onHelp }: Props) {
  const [sharing, setSharing] = useState(false);
  const isFirst = useFirstRun();
  useTheme();
  return (
    <header className={`header${isFirst ? ' header-first' : ''} line wide`}>
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
      <Suspense fallback={null}>{sharing && <ShareDialog onClose={() => setSharing(false)} />}</Suspense>
      <Suspense fallback={null}>{help && <HelpDialog onClose={() => onHelp(false)} />}</Suspense>
    </header>
  );
}

/** True while the lab asks its question: there the button that runs it stands, and one is enough. */
function useFirstRun(): boolean {
  const { place } = usePlace();
  return useAsking() && place === 'lab';
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
