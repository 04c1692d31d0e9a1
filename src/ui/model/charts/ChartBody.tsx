/** Frame of a chart before it is drawn: the place of its plot, what it goes over, and its sentence. */
import type { ReactNode } from 'react';
import { inWordsOf } from '../../../hyperparameters/rewards';
import { withTerms } from '../../kit/Term';
import { worldOf } from '../environment';
import { useLabState, usePreferences } from '../useLab';
import type { ChartDefinition } from './definition';

interface Props {
  readonly definition: ChartDefinition;
  readonly note?: string;
  /** The plot. */
  readonly children: ReactNode;
}

export function ChartBody({ definition, note = '', children }: Props) {
  const world = worldOf(useLabState((state) => (state.running ?? state.edited).environment))?.environment;
  const progress = usePreferences((state) => state.progress);
  return (
    <>
      <div className="chart-body">
        {children}
        <span className="progress-words small soft">{progress}</span>
      </div>
      <p className="chart-help small soft">
        {withTerms(inWordsOf(world?.milestoneWords, definition.help))} <span className="chart-note">{note}</span>
      </p>
    </>
  );
}
