/** The bar at the top: what this is, which experiment, how it stands, and the few buttons that act on all of it. */
import { Suspense, useState } from 'react';
import { part } from '../kit/part';
import { PoliciesButton } from '../policies/PoliciesButton';
import { useLabState } from '../useLab';
import { Logo } from './Logo';
import { RunButtons } from './RunButtons';
import { Status } from './Status';
import { ThemeButton } from './ThemeButton';
import './header.css';

const ShareDialog = part('Sharing', () => import('../dialogs/ShareDialog').then((module) => module.ShareDialog));
const HelpDialog = part('Help', () => import('../dialogs/HelpDialog').then((module) => module.HelpDialog));

interface Props {
  readonly help: boolean;
  readonly onHelp: (open: boolean) => void;
}

export function Header({ help, onHelp }: Props) {
  const [sharing, setSharing] = useState(false);
  return (
    <header className="header">
      <h1>
        <Logo />
      </h1>
      <Title />
      <Status />
      <div className="header-buttons">
        <RunButtons />
        <button type="button" className="button" data-testid="share" onClick={() => setSharing(true)}>
          Share
        </button>
        <PoliciesButton />
      </div>
      <div className="header-quiet">
        <ThemeButton />
        <button type="button" className="button button-quiet" data-testid="help" onClick={() => onHelp(true)}>
          Help
        </button>
      </div>
      <Suspense fallback={null}>{sharing && <ShareDialog onClose={() => setSharing(false)} />}</Suspense>
      <Suspense fallback={null}>{help && <HelpDialog onClose={() => onHelp(false)} />}</Suspense>
    </header>
  );
}

function Title() {
  const title = useLabState((state) => (state.running ?? state.edited).title);
  return (
    <p className="title" title={title}>
      {title}
    </p>
  );
}
