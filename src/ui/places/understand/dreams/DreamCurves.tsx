/**
 * Curves over the updates at which dreams were drawn: agreement with the world, a small chart for each number of turns
 * dreamed, and how much predictions depend on the action.
 */
import type { Arm } from '../../../../experiment/experiment';
import { type ArmDream, HORIZONS } from '../../../../store/run/dreamPoints';
import { Caption } from '../../../kit/Caption';
import { formatMeasured, formatPercent, plural } from '../../../kit/format';
import { type SmallCurve, SmallCurves, type SmallValue } from '../../../model/charts/SmallCurves';
import { useLabState } from '../../../model/useLab';

const CURVES: readonly SmallCurve[] = [
  ...HORIZONS.map(
    (turns): SmallCurve => ({
      title: turns === 'end' ? 'the whole episode ahead' : `${plural(turns, 'turn')} ahead`,
      format: formatPercent,
      to: 1,
    }),
  ),
  { title: 'action sensitivity, nats', format: formatMeasured, to: null },
];

const valuesOf = ({ agreement, sensitivity }: ArmDream): SmallValue[] =>
  [...agreement, sensitivity].map((value) => ({ value: Number.isNaN(value) ? null : value }));

const NO_ARMS: readonly Arm[] = [];

export function DreamCurves() {
  const dreams = useLabState((state) => state.dreamPoints);
  const arms = useLabState((state) => state.running?.arms) ?? NO_ARMS;
  const points = dreams.map(({ update, byArm }) => ({
    at: update,
    byArm: Object.fromEntries(Object.entries(byArm).map(([arm, dream]) => [arm, valuesOf(dream)])),
  }));
  return (
    <>
      <Caption said="Share of the world’s answers that dreams get right." about="the dreams">
        So many turns after they last heard of the world; and how much less an answer is expected after another action.
        Of one episode an arm each time it was drawn on this page.
      </Caption>
      <SmallCurves name="Dreams over updates" unit="update" curves={CURVES} points={points} arms={arms} />
    </>
  );
}
