/** A sweep trained together, value by value and seed by seed. Loaded apart from the page. */
import { useMemo, useState } from 'react';
import type { Arm } from '../../../../../experiment/experiment';
import { gridInWords } from '../../../../../experiment/grid/finding';
import { cellsOfArms, type Sweep } from '../../../../../experiment/grid/together';
import { encodeLink } from '../../../../../experiment/link/link';
import { plural } from '../../../../kit/format';
import { armColours } from '../../../../model/armColour';
import { useLab } from '../../../../model/useLab';
import { MEASURES, type Measure } from '../compare/measures';
import { type Row, useComparison } from '../compare/useComparison';
import { FIRST_CHOICE, SweptResult } from './SweptResult';

const SUCCESS = MEASURES[0] as Measure;

interface Props {
  readonly sweep: Sweep;
  readonly arms: readonly Arm[];
}

export function SweepPanel({ sweep, arms }: Props) {
  const lab = useLab();
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const compared = useComparison({ measure: SUCCESS, summary: choice.summary, baseline: '' });
  const shown = useMemo(() => shownOf({ sweep, arms }, compared?.rows ?? []), [sweep, arms, compared]);
  if (compared === null || shown === null) return <p className="small soft">Waiting for the first update.</p>;
  const { running } = lab.store.getState();
  return (
    <SweptResult
      {...shown}
      finding={gridInWords([{ key: sweep.name }], shown.cells)}
      said={`Over ${plural(compared.updates, 'update')}; each value against the best, seed by seed, by 95% intervals.`}
      name={`unmask-${running?.preset ?? 'run'}-sweep`}
      link={running === null ? '' : `#${encodeLink(running)}`}
      choice={choice}
      onChoose={setChoice}
    />
  );
}

/** Axis, cells and colours of the run on screen; null while the rows of the run before are still there. */
function shownOf({ sweep, arms }: Props, compared: readonly Row[]) {
  const rows = compared.filter(({ contender }) => contender.run.label === '');
  if (rows.length !== arms.length) return null;
  const ofArms = armColours(arms);
  return {
    axes: [{ key: sweep.setting.label, values: sweep.values.map(String) }],
    cells: cellsOfArms(sweep, (arm) => rows[arm]?.values ?? []),
    colours: new Map(sweep.values.map((value, arm) => [String(value), ofArms.get(arms[arm]?.id ?? '')])),
  };
}
