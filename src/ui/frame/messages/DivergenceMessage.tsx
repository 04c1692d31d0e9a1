/** Policies that train no more, why, and the way back to the last healthy state. */

import type { DivergenceView } from '../../../train/protocol';
import { Button } from '../../kit/Button';
import { joinNames, plural } from '../../kit/format';
import { useLab, useLabState } from '../../model/useLab';

/** Members that are named one by one. */
const NAMED = 3;

export function DivergenceMessage() {
  const lab = useLab();
  const divergence = useLabState((state) => state.divergence);
  const arms = useLabState((state) => state.running?.arms);
  if (divergence === null || arms === undefined) return null;
  const { members, isAll, to, changes } = divergence;
  const nameOf = (id: string): string => arms.find((arm) => arm.id === id)?.name ?? id;
  const first = members[0];
  if (first === undefined) return null;
  const names = members.slice(0, NAMED).map(({ arm, seed }) => `${nameOf(arm)}, seed ${seed}`);
  const others = members.length > NAMED ? [plural(members.length - NAMED, 'other')] : [];
  const from = to === 0 ? 'the beginning' : `update ${to}`;
  // Nothing has been learned that going back would undo.
  const isFromStart = first.update === 0 && to === 0;
  return (
    <div className="message message-strong" role="alert" data-testid="message" data-kind="diverged">
      <p>
        <b>{members.length === 1 ? 'A policy has diverged' : 'Policies have diverged'}</b>:{' '}
        {joinNames([...names, ...others])}. Since update {first.update} no gradient is finite, so no step is taken (
        {first.cause}). {!isFromStart && 'A lower learning rate from now on would not help. '}
        {isAll ? 'Nothing trains any more, and the run has paused. ' : 'The other policies train on. '}
        {isFromStart
          ? 'Look at the arm’s losses and at the initial scale; where they are those of a run that trained, reload the page.'
          : `Going back to ${from} makes the updates since again, with ${proposalWords(changes, nameOf)}.`}
      </p>
      <div className="dialog-buttons">
        {!isFromStart && (
          <Button className="button-primary" data-testid="go-back" onClick={() => lab.runner.answerDivergence(true)}>
            Go back to {from}
          </Button>
        )}
        <Button onClick={() => lab.runner.answerDivergence(false)}>Leave it</Button>
      </div>
    </div>
  );
}

/** “learning rate 0.1 in World model”, of the first change of each arm. */
function proposalWords(changes: DivergenceView['changes'], nameOf: (id: string) => string): string {
  const byArm = new Map(changes.toReversed().map(({ arm, value }) => [arm, value]));
  return joinNames([...byArm].reverse().map(([arm, value]) => `learning rate ${String(value)} in ${nameOf(arm)}`));
}
