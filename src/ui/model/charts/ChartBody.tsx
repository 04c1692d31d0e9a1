/** Frame of a chart before it is drawn: the place of its plot, what it goes over, and its sentence. */
import type { ReactNode } from 'react';
import { inWordsOf } from '../../../hyperparameters/rewards';
import { Caption, firstSentence } from '../../kit/Caption';
import { withTerms } from '../../kit/Term';
import { worldOf } from '../environment';
import { useLabState, usePreferences } from '../useLab';
import type { ChartDefinition } from './kinds/definition';

interface Props {
  readonly definition: ChartDefinition;
  readonly note?: string;
  /** The plot. */
  readonly children: ReactNode;
}

export function ChartBody({ definition, note = '', children }: Props) {
  const world = worldOf(useLabState((state) => (state.running ?? state.edited).environment))?.environment;
  const progress = usePreferences((state) => state.progress);
  const [first, rest] = firstSentence(inWordsOf(world?.milestoneWords, definition.help));
  return (
    <>
      <div className="chart-body short grow relative">
        {children}
        <span className="progress-words small soft">{progress}</span>
      </div>
      <Caption said={withTerms(first)} about={definition.title}>
        {rest + note === '' ? null : (
          <>
            {withTerms(rest)} {note}
          </>
        )}
      </Caption>
    </>
  );
}
