/**
 * Messages for the person, in one place under the header: where the settings came from, what a restart would
 * change, what went wrong and what is safe. Ink and a line at the side, no colours.
 */

import type { FunctionComponent } from 'react';
import { useStore } from 'zustand';
import { isLive, type LabState } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { type Missing, missing } from '../../kit/missing';
import { part } from '../../kit/part';
import { useLab, useLabState } from '../../model/useLab';
import { CpuInstead } from './CpuInstead';
import { newVersion } from './newVersionStore';
import './messages.css';

/** Messages for which a page just opened has no use. */
const FailureMessage = part('What went wrong', () => import('./FailureMessage'), 'FailureMessage');
const KeptPolicies = part('What is kept', () => import('./KeptPolicies'), 'KeptPolicies');
const NotKept = part('What is not kept', () => import('./NotKept'), 'NotKept');
const DivergenceMessage = part('What diverged', () => import('./DivergenceMessage'), 'DivergenceMessage');
const Problems = part('What is wrong with the experiment', () => import('./Problems'), 'Problems');
const MissingPolicies = part('The policies that are missing', () => import('./MissingPolicies'), 'MissingPolicies');
const RestartBar = part('What a restart would change', () => import('./RestartBar'), 'RestartBar');

interface LaterProps {
  readonly Message: FunctionComponent;
  /** True once the message may be needed: until then its code is not fetched. */
  readonly isDue?: (state: LabState) => boolean;
}

/** Message loaded later, which keeps none of the others waiting. */
function Later({ Message, isDue = () => true }: LaterProps) {
  const due = useLabState(isDue);
  return due && <Message />;
}

export function Messages() {
  return (
    <section className="messages" aria-label="Messages" aria-live="polite">
      <MissingParts />
      <NewVersion />
      <Later Message={FailureMessage} isDue={({ failure }) => failure !== null} />
      <NoticeMessage />
      <Later Message={NotKept} />
      <Later Message={KeptPolicies} />
      <Later Message={DivergenceMessage} isDue={({ divergence }) => divergence !== null} />
      <Later Message={Problems} isDue={({ problems }) => problems.length > 0} />
      <Later Message={MissingPolicies} />
      <Later Message={RestartBar} isDue={({ running }) => running !== null} />
    </section>
  );
}

function NoticeMessage() {
  const lab = useLab();
  const notice = useLabState((state) => state.notice);
  // One message tells of a kept run, with what it can go on from.
  const isTold = useLabState(({ phase, keptUpdate }) => phase === 'restored' && keptUpdate !== null);
  if (notice === null || (notice.kind === 'restored' && isTold)) return null;
  const dismiss = () => lab.store.setState({ notice: null });
  return (
    <div className="message" data-testid="message" data-kind={notice.kind}>
      <p>
        {notice.text} {notice.advice}
      </p>
      <div className="dialog-buttons">
        <CpuInstead words="Use the CPU" onChosen={dismiss} />
        <Button className="button-quiet" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}

/** Message of the parts of the page that cannot be shown now, and why; the run goes on. Each part is named once. */
function MissingParts() {
  const parts = useStore(missing, (state) => state.parts);
  const byName = new Map<string, Missing>();
  for (const part of parts) {
    const other = byName.get(part.what)?.again;
    const again = () => {
      other?.();
      part.again();
    };
    byName.set(part.what, { ...part, again });
  }
  return [...byName.values()].map((part) => <MissingPart key={part.what} {...part} />);
}

function MissingPart({ what, why, advice, again }: Missing) {
  return (
    <div className="message message-strong" role="alert" data-testid="message" data-kind="missing">
      <p>
        <b>{what} cannot be shown.</b> {why} Everything else goes on. {advice}
      </p>
      <Button data-testid="again" onClick={again}>
        Try again
      </Button>
    </div>
  );
}

/** Message that a newer version of the lab has been published: this tab changes nothing until the person reloads it. */
function NewVersion() {
  const reload = useStore(newVersion, (state) => state.reload);
  const isTraining = useLabState(isLive);
  if (reload === null) return null;
  return (
    <div className="message" data-testid="message" data-kind="new-version">
      <p>
        A newer version of the lab is there. This tab keeps the one it has
        {isTraining ? ': reload it when the run is finished.' : ' until it is reloaded.'}
      </p>
      <div className="dialog-buttons">
        <Button data-testid="reload" onClick={reload}>
          Reload
        </Button>
        <Button className="button-quiet" onClick={() => newVersion.setState({ reload: null })}>
          Later
        </Button>
      </div>
    </div>
  );
}
