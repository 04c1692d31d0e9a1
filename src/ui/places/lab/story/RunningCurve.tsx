/** Small picture, on a phone, of the success of all arms: it stays in sight while one scrolls. Its numbers are the table's. */
import { useEffect } from 'react';
import type { CurvePoint } from '../../../../measured/curves';
import { outcomeOf } from '../../../../store/look/outcomes';
import { formatPercent } from '../../../kit/format';
import { armColours } from '../../../model/armColour';
import { ArmMark } from '../../../model/arms/ArmName';
import { shapeOf, usePrepare, useRedraw } from '../../../model/charts/drawn/redraw';
import { chartOf } from '../../../model/charts/kinds/definitions';
import { useLab, useLabState } from '../../../model/useLab';
import './running-curve.css';

const SUCCESS = chartOf('successRate');

/** Most arms that are labelled, and characters of the longest label; beyond these the colour alone tells arms apart. */
const [ROWS, LONGEST] = [2, 16];

export function RunningCurve() {
  const lab = useLab();
  const prepare = usePrepare(SUCCESS);
  const again = useRedraw(true, prepare);
  const arms = useLabState((state) => state.running?.arms ?? []);
  const updates = useLabState((state) => state.running?.updates ?? 1);
  useEffect(again, [again]);
  const points = lab.curves()?.points(SUCCESS.metric, shapeOf(lab, SUCCESS)).points ?? [];
  const { history } = lab.store.getState();
  const colours = armColours(arms);
  const isNamed = arms.length <= ROWS && arms.every(({ name }) => name.length <= LONGEST);
  return (
    <section
      className="running-curve line apart ruled"
      aria-label="Success of all arms so far"
      data-testid="running-curve"
    >
      <svg viewBox={`0 0 ${updates} 1`} preserveAspectRatio="none" aria-hidden="true">
        {arms.map(({ id }, arm) => (
          <polyline
            key={id}
            points={lineOf(points, arm)}
            stroke={colours.get(id)?.stroke}
            strokeDasharray={colours.get(id)?.dash}
          />
        ))}
      </svg>
      <ul>
        {arms.map(({ id, name }, arm) => {
          const share = history === null || history.count === 0 ? null : outcomeOf(history, arm).success.mean;
          return (
            <li key={id} className="line closer">
              <ArmMark colour={colours.get(id)} />
              <span className={isNamed ? '' : 'hidden-text'}>{name}</span> {share === null ? '–' : formatPercent(share)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Path of an arm's line: places are updates, and shares from the top. */
const lineOf = (points: readonly CurvePoint[], arm: number): string =>
  points
    .flatMap(({ update, mean }) => {
      const share = mean[arm];
      return share == null ? [] : [`${update},${(1 - share).toFixed(3)}`];
    })
    .join(' ');
