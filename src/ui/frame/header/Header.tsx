/**
 * The header, in sight at every place: what this is, the areas of the page, which experiment in which world, Run and how it
 * stands. On a phone it is one line, the experiment is behind the gear, and Run stands at the window's lower edge.
 */
import { Suspense, startTransition, useState } from 'react';
import { part } from '../../kit/part';
import { worldName } from '../../model/choose/experimentWords';
import { ExperimentChooser, WorldChooser } from '../../model/choose/Openers';
import { RunButtons } from '../../model/run/RunButtons';
import { Status } from '../../model/run/Status';
import { useHidden } from '../../model/useHidden';
import { useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';
import { useTheme } from '../../model/useTheme';
import { LiveSheet } from '../../places/lab/live/LiveSheet';
import { AreaNav } from './AreaNav';
import { Gear } from './Gear';
import { Logo } from './Logo';
import './header.css';

const ShareDialog = part('Sharing', () => import('../share/ShareDialog').then((module) => module.ShareDialog));
const HelpDialog = part('Help', () => import('../dialogs/HelpDialog').then((module) => module.HelpDialog));

interface Props {
  readonly help: boolean;
  readonly onHelp: (open: boolean) => void;
}

export function Header({ help, onHelp }: Props) {
  const [sharing, setSharing] = useState(false);
  const [Chooser, setChooser] = useState<Chooser | null>(null);
  const isFirst = useFirstRun();
  useTheme();
  // Drawing all worlds takes a moment: in slices, so that the page stays alive.
  const choose = (chooser: Chooser) => startTransition(() => setChooser(() => chooser));
  return (
    <header className={`header${isFirst ? ' header-first' : ''}`}>
      <h1>
        <Logo />
      </h1>
      <AreaNav />
      <Experiment choose={choose} />
      <div className="header-run">
        <RunButtons />
        <Status />
        <LiveSheet />
      </div>
      <button type="button" className="button share" data-testid="share" onClick={() => setSharing(true)}>
        Share
      </button>
      <Gear onHelp={() => onHelp(true)}>
        {(closed) => (
          <div className="gear-phone">
            <Experiment id="phone-" choose={(chooser) => closed(() => choose(chooser))} />
            <button
              type="button"
              className="button"
              data-testid="phone-share"
              onClick={() => closed(() => setSharing(true))}
            >
              Share
            </button>
          </div>
        )}
      </Gear>
      <Suspense fallback={null}>{Chooser !== null && <Chooser onClose={() => setChooser(null)} />}</Suspense>
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

type Chooser = typeof ExperimentChooser;

/** The experiment's name and its world's; both open a chooser, unless the link hides them. */
function Experiment({ id = '', choose }: { id?: string; choose: (chooser: Chooser) => void }) {
  const title = useLabState((state) => (state.running ?? state.edited).title);
  const [world, next] = useWorldNames();
  const isFixed = useHidden('experiments');
  const name = (words: string, what: string, Chooser: Chooser) => {
    const shown = (
      <span className={what === 'experiment' ? 'title' : 'title-world'} title={words}>
        {words}
      </span>
    );
    if (isFixed) return shown;
    return (
      <button
        type="button"
        className="opener"
        aria-haspopup="dialog"
        data-testid={`${id}choose-${what}`}
        onClick={() => choose(Chooser)}
      >
        {shown}
        <span className="hidden-text">, choose another {what}</span>
      </button>
    );
  };
  return (
    <div className="header-experiment">
      {name(title, 'experiment', ExperimentChooser)}
      {name(next === null ? world : `${world}; next: ${next}`, 'world', WorldChooser)}
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
