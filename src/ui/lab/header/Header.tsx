/**
 * The header, in sight at every place: what this is, which experiment in which world, Run and how it stands; below it the
 * places, and what trains. On a phone Run and how it stands are at the window's lower edge.
 */
import { Suspense, useState } from 'react';
import { part } from '../../kit/part';
import { usePlace } from '../../place';
import { useLabState } from '../../useLab';
import { worldName } from '../choose/experimentWords';
import { ExperimentOpener, WorldOpener } from '../choose/Openers';
import { LiveSheet } from '../live/LiveSheet';
import { Machine } from '../machine/Machine';
import { Logo } from './Logo';
import { PlaceNav } from './PlaceNav';
import { RunButtons } from './RunButtons';
import { Status } from './Status';
import { ThemeButton } from './ThemeButton';
import './header.css';

const ShareDialog = part('Sharing', () => import('../../share/ShareDialog').then((module) => module.ShareDialog));
const HelpDialog = part('Help', () => import('../dialogs/HelpDialog').then((module) => module.HelpDialog));

interface Props {
  readonly help: boolean;
  readonly onHelp: (open: boolean) => void;
}

export function Header({ help, onHelp }: Props) {
  const [sharing, setSharing] = useState(false);
  const isFirst = useFirstRun();
  return (
    <header className={`header${isFirst ? ' header-first' : ''}`}>
      <div className="header-line">
        <h1>
          <Logo />
        </h1>
        <Experiment />
        <div className="header-run">
          <RunButtons />
          <Status />
          <LiveSheet />
        </div>
        <div className="header-buttons">
          <button type="button" className="button" data-testid="share" onClick={() => setSharing(true)}>
            Share
          </button>
          <ThemeButton />
          <button type="button" className="button button-quiet" data-testid="help" onClick={() => onHelp(true)}>
            Help
          </button>
        </div>
      </div>
      <div className="header-line header-places">
        <PlaceNav />
        <Machine />
      </div>
      <Suspense fallback={null}>{sharing && <ShareDialog onClose={() => setSharing(false)} />}</Suspense>
      <Suspense fallback={null}>{help && <HelpDialog onClose={() => onHelp(false)} />}</Suspense>
    </header>
  );
}

/** True while the lab asks its question: there the button that runs it stands, and one is enough. */
function useFirstRun(): boolean {
  const { place } = usePlace();
  const isAsking = useLabState(({ running, sent }) => running === null && (sent === null || sent.from === 'recording'));
  return isAsking && place === 'lab';
}

/** The experiment's name and its world's; both open a chooser. */
function Experiment() {
  const title = useLabState((state) => (state.running ?? state.edited).title);
  const [world, next] = useWorldNames();
  const words = (
    <span className="title" title={title}>
      {title}
    </span>
  );
  return (
    <div className="header-experiment">
      <ExperimentOpener className="field opener" testId="choose-experiment" otherwise={words}>
        {words}
        <span className="hidden-text">, choose another experiment</span>
      </ExperimentOpener>
      <WorldOpener className="field opener" testId="choose-world" otherwise={world}>
        {next === null ? (
          <span className="opener-words">{world}</span>
        ) : (
          <span className="opener-words opener-two" title={`${world}; after a restart: ${next}`}>
            {world}
            <span className="opener-next soft">next: {next}</span>
          </span>
        )}
        <span className="hidden-text">, choose another world</span>
      </WorldOpener>
    </div>
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
