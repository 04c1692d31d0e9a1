/** Result of the recorded runs of this world, where it was among them; that of all stands further down. */
import type { ReactNode } from 'react';
import type { Experiment } from '../../experiment/experiment';
import { isAsRecorded, verdictOn } from '../../experiment/verdicts';
import { goTo } from '../groups/GroupNav';
import { useHidden } from '../useHidden';

export function Known({ experiment, label }: { experiment: Experiment; label: ReactNode }) {
  const beliefHidden = useHidden('belief');
  const verdict = verdictOn(experiment.environment.id);
  return (
    <p className="small" data-testid="known">
      {label} {verdict !== undefined && !isAsRecorded(experiment) && 'Of the plain world, not this variant: '}
      {verdict ?? 'this world was not among the four searched.'}{' '}
      {!beliefHidden && (
        <button type="button" className="button button-quiet small" onClick={() => goTo('belief')}>
          On what it depends
        </button>
      )}
    </p>
  );
}
