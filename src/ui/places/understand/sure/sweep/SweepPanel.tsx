/** Effect of a swept setting on success, value by value and seed by seed. Loaded apart from the page. */
import { useState } from 'react';
import type { Summary } from '../../../../../experiment/conclude/comparison';
import { SUMMARIES } from '../../../../../experiment/conclude/comparison';
import { tellingInterval } from '../../../../../experiment/conclude/statistics';
import type { Arm } from '../../../../../experiment/experiment';
import type { Sweep } from '../../../../../experiment/grid/sweep';
import { judgeSweep, sweepInWords } from '../../../../../experiment/grid/sweepFinding';
import { Caption } from '../../../../kit/Caption';
import { Choice } from '../../../../kit/Choice';
import { plural } from '../../../../kit/format';
import { armColours } from '../../../../model/armColour';
import { MEASURES, type Measure } from '../compare/measures';
import { type Row, useComparison } from '../compare/useComparison';
import { SweepChart, type SweepPoint } from './SweepChart';
import { FLATTERED, sweepLabel } from './sweepWords';
import './sweep.css';

const SHOWN = ['final', 'area'] as const satisfies readonly Summary[];
const CENTRES = [
  ['mean', 'mean'],
  ['iqm', 'interquartile mean'],
] as const;
const SUCCESS = MEASURES[0] as Measure;

export function SweepPanel({ sweep, arms }: { sweep: Sweep; arms: readonly Arm[] }) {
  const [summary, setSummary] = useState<Summary>('final');
  const [centre, setCentre] = useState<string>('mean');
  const compared = useComparison({ measure: SUCCESS, summary, baseline: '' });
  const rows = compared?.rows.filter(({ contender }) => contender.run.label === '') ?? [];
  // Rows of the run before may still stand while those of this one are computed.
  if (compared === null || rows.length !== arms.length)
    return <p className="small soft">Waiting for the first update.</p>;
  const points = pointsOf(sweep, arms, rows, centre === 'iqm');
  const values = points.map(({ value }) => value);
  const finding = judgeSweep(
    points.map(({ seeds }) => seeds),
    false,
  );
  return (
    <>
      <div className="compare-choices padded">
        <Choice
          labelClass="small soft"
          place="stack close fit"
          label="Success, one number a seed"
          testId="sweep-summary"
          value={summary}
          options={SHOWN.map((id) => [id, SUMMARIES[id].label])}
          onChoose={(chosen) => setSummary(chosen as Summary)}
        />
        <Choice
          labelClass="small soft"
          place="stack close fit"
          label="Joined"
          testId="sweep-centre"
          value={centre}
          options={CENTRES}
          onChoose={setCentre}
        />
      </div>
      <div className="split sweep-shown">
        <SweepChart points={points} name={sweep.setting.label} label={sweepLabel(sweep, points)} />
        {finding !== null && (
          <div data-testid="sweep-finding">
            <p>{sweepInWords({ finding, values, name: sweep.name })}</p>
            <Caption
              said={`Over ${plural(compared.updates, 'update')}; each value against the best, seed by seed, by 95% intervals.`}
              about="the comparison"
            >
              {FLATTERED}
            </Caption>
          </div>
        )}
      </div>
    </>
  );
}

/** Points of a sweep by ascending value. */
function pointsOf({ values }: Sweep, arms: readonly Arm[], rows: readonly Row[], robust: boolean): SweepPoint[] {
  const colours = armColours(arms);
  const points = rows.map(({ values: seeds, comparison }, arm): SweepPoint => {
    return {
      value: values[arm] ?? Number.NaN,
      seeds,
      centre: robust ? comparison.iqm.value : comparison.mean.mean,
      interval: robust ? comparison.iqm.interval : tellingInterval(comparison.mean),
      colour: colours.get(arms[arm]?.id ?? '') ?? { stroke: 'var(--ink)', dash: '' },
    };
  });
  return points.sort((a, b) => a.value - b.value);
}
