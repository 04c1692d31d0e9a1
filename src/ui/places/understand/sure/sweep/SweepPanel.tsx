/** A sweep trained together, value by value and seed by seed. Loaded apart from the page. */
import { useDeferredValue, useMemo } from 'react';
import { cellsOfArms, type Sweep } from '../../../../../experiment/grid/together';
import { encodeLink } from '../../../../../experiment/link/link';
import { numbersOfArms } from '../../../../../store/look/outcomes';
import { plural } from '../../../../kit/format';
import { armColours } from '../../../../model/armColour';
import { useLab, useLabState } from '../../../../model/useLab';
import { SweptResult } from './SweptResult';

export function SweepPanel({ sweep }: { readonly sweep: Sweep }) {
  const lab = useLab();
  const updates = useDeferredValue(useLabState(({ history }) => history?.count ?? 0));
  const shown = useMemo(() => {
    const { running, history } = lab.store.getState();
    if (updates === 0 || running === null || history === null) return null;
    const ofArms = armColours(running.arms);
    return {
      axes: [{ key: sweep.setting.label, values: sweep.values.map(String) }],
      cells: cellsOfArms(sweep, numbersOfArms(running.arms, history)),
      colours: new Map(running.arms.map(({ id }, arm) => [String(sweep.values[arm]), ofArms.get(id)])),
      preset: running.preset,
      link: `#${encodeLink(running)}`,
    };
  }, [sweep, lab, updates]);
  if (shown === null) return <p className="small soft">Waiting for the first update.</p>;
  return <SweptResult {...shown} named={[sweep.name]} said={`Over ${plural(updates, 'update')}`} />;
}
