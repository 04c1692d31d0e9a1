/** Charts of a recorded comparison, with a rerun over them. */
import { Fragment, useMemo } from 'react';
import type { Compared } from '../../../../experiment/findings/finding';
import type { Asked } from '../../../../experiment/findings/told';
import { PlotPlace } from '../../../kit/plot/PlotPlace';
import { COLOURS, comparedConditions, DASH, figuresOf } from './figure';
import type { LiveRerun } from './live';

interface Props {
  readonly card: Asked;
  readonly compared: Compared;
  readonly live: LiveRerun | null;
}

export function FindingPlot({ card, compared, live }: Props) {
  const { finding } = card;
  const conditions = useMemo(() => comparedConditions(compared, finding), [compared, finding]);
  const plots = useMemo(() => figuresOf(conditions, live), [conditions, live]);
  return (
    <>
      {plots.map((plot) => (
        <Fragment key={plot.title}>
          <p className="small soft">{plot.title}</p>
          <PlotPlace height={200} plot={plot} />
        </Fragment>
      ))}
      <p className="small finding-legend">
        {conditions.map(({ name }, i) => (
          <span key={name}>
            <Swatch colour={COLOURS[i] as string} /> {name}
          </span>
        ))}
        {live !== null && (
          <span>
            <Swatch colour="var(--ink)" dash={DASH} /> here
          </span>
        )}
      </p>
    </>
  );
}

function Swatch({ colour, dash = '' }: { colour: string; dash?: string }) {
  return (
    <svg width="24" height="8" viewBox="0 0 24 8" aria-hidden="true">
      <line x1="0" x2="24" y1="4" y2="4" stroke={colour} strokeDasharray={dash} strokeWidth="2" />
    </svg>
  );
}
