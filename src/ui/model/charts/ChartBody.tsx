/** Frame of a chart before it is drawn: the place of its plot, the choices at it, and its sentence. */
import type { ReactNode } from 'react';
import { inWordsOf } from '../../../hyperparameters/rewards';
import { withTerms } from '../../kit/Term';
import { worldOf } from '../environment';
import { useLabState } from '../useLab';
import { AxisChoice } from './AxisChoice';
import type { ChartDefinition } from './definition';
import { ProgressChoice } from './ProgressChoice';
import { SmoothingChoice } from './SmoothingChoice';

interface Props {
  readonly definition: ChartDefinition;
  readonly compact: boolean;
  readonly note?: string;
  /** The plot. */
  readonly children: ReactNode;
}

export function ChartBody({ definition, compact, note = '', children }: Props) {
  const world = worldOf(useLabState((state) => (state.running ?? state.edited).environment))?.environment;
  return (
    <>
      <div className="chart-body">
        {children}
        <ProgressChoice compact={compact} />
      </div>
      <p className="chart-help small soft">
        {!compact && (
          <span className="chart-corner">
            <SmoothingChoice />
            {definition.axis === 'crossEntropy' && <AxisChoice />}
          </span>
        )}
        {withTerms(inWordsOf(world?.milestoneWords, definition.help))} <span className="chart-note">{note}</span>
      </p>
    </>
  );
}
