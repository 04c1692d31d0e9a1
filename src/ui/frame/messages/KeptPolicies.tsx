/** Note of the policies that this browser keeps of a run not under way, with the button that goes on from them. */

import { useState } from 'react';
import type { MachineEntry } from '../../../experiment/machines';
import { otherNumericsWords, standingHere } from '../../../experiment/provenance';
import { Button } from '../../kit/Button';
import { formatCount, plural } from '../../kit/format';
import { useKeptRuns, useLab, useLabParts, useLabState } from '../../model/useLab';
import { usePlace } from '../../model/usePlace';

export function KeptPolicies() {
  const { phase, keptUpdate: update, run } = useLabParts('phase', 'keptUpdate', 'run');
  const offered = useKeptRuns((state) => state.offered);
  const isElsewhere = useKeptRuns((state) => state.elsewhere.has(run));
  if (isElsewhere) return <Elsewhere />;
  if (phase === 'restored' && update !== null) return <GoOn update={update} />;
  return phase === 'idle' && offered !== null ? <Offered /> : null;
}

/** The run on screen trains in another tab. */
function Elsewhere() {
  return (
    <div className="message" data-testid="message" data-kind="elsewhere">
      <p>
        This run trains in another tab. Its curves follow here, and it can go on here once it ends there or that tab is
        closed.
      </p>
    </div>
  );
}

/** The run on screen is an earlier one, or one that failed, and its policies are kept. */
function GoOn({ update }: { update: number }) {
  const lab = useLab();
  const updates = useLabState((state) => state.running?.updates ?? 0);
  const run = useLabState((state) => state.run);
  const last = useLabState((state) => state.machines.at(-1));
  const [dismissed, dismiss] = useState('');
  // Its policies have their own place, which offers the same.
  const isOffered = usePlace().place === 'policies';
  if (dismissed === run || isOffered) return null;
  return (
    <Kept
      said="Curves and settings are as you left them."
      {...{ update, updates, last }}
      onResume={() => void lab.runner.resumeKept(true)}
      onDismiss={() => dismiss(run)}
    />
  );
}

function Offered() {
  const { kept } = useLab();
  const run = useKeptRuns((state) => state.offered);
  const states = useKeptRuns((state) => state.states[run?.run ?? '']);
  const update = states?.states.at(-1)?.update ?? 0;
  if (run === null || states === undefined) return null;
  return (
    <Kept
      said={`The run “${run.name}” was stopped before its end and is kept.`}
      {...{ update, updates: states.updates, last: run.machines.at(-1) }}
      onResume={() => void kept.resumeOffered()}
      onDismiss={() => kept.dismiss()}
    />
  );
}

interface KeptProps {
  readonly said: string;
  readonly update: number;
  readonly updates: number;
  /** Machine that it trained on last. */
  readonly last: MachineEntry | undefined;
  readonly onResume: () => void;
  readonly onDismiss: () => void;
}

function Kept({ said, update, updates, last, onResume, onDismiss }: KeptProps) {
  const isOther = standingHere(last) === 'other';
  return (
    <div className="message" data-testid="message" data-kind="kept-policies">
      <p>
        {said} {words(update, updates, last)}
      </p>
      <div className="dialog-buttons">
        <ResumeButton isFinished={update >= updates} {...{ update, isOther, onResume }} />
        <Button className="button-quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}

function words(update: number, updates: number, last: MachineEntry | undefined): string {
  const are =
    update >= updates
      ? 'Its policies are kept: load them to save, inspect or train them further'
      : `Its policies were kept last after ${plural(update, 'update')} of ${formatCount(updates)}; what came later is trained again`;
  const standing = standingHere(last);
  if (last !== undefined && standing === 'other') {
    return `${are}. ${otherNumericsWords(last)} If the run continues here, its numbers differ.`;
  }
  if (update >= updates) return `${are}.`;
  return standing === 'same'
    ? `${are}, and ends with the same numbers.`
    : `${are}. They were kept by an older version of the lab: their numbers may differ if the run continues.`;
}

interface ResumeProps {
  readonly isFinished: boolean;
  readonly update: number;
  /** True where it was computed with other numerics than those here. */
  readonly isOther: boolean;
  readonly onResume: () => void;
}

/** Goes on from kept policies. */
export function ResumeButton({ isFinished, update, isOther, onResume }: ResumeProps) {
  const words = isFinished ? 'Load its policies' : `Continue from update ${formatCount(update)}`;
  return (
    <Button className="button-primary" data-testid="resume-kept" onClick={onResume}>
      {isOther ? `${words}, with other numerics` : words}
    </Button>
  );
}
