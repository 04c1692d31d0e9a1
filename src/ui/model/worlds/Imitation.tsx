/** The curve of a warm start: the loss of the demonstrations over its supervised steps, a line an arm. */
import { summarise, tellingInterval } from '../../../experiment/conclude/statistics';
import type { Arm } from '../../../experiment/experiment';
import { formatMeasured } from '../../kit/format';
import { SmallCurves, type SmallPoint } from '../charts/SmallCurves';
import { useLabState } from '../useLab';

/** Readings before the first. */
const NONE = [] as const;
const LOSS = { title: 'Loss of the demonstrations, nats', format: formatMeasured, to: null };

export function Imitation({ arms }: { arms: readonly Arm[] }) {
  const losses = useLabState((state) => state.imitation?.losses ?? NONE);
  const seeds = useLabState(({ running, edited }) => (running ?? edited).seeds);
  const points = losses.map(({ update, loss }): SmallPoint => {
    const ofArm = arms.flatMap(({ id }, arm) => {
      const estimate = summarise(loss.slice(arm * seeds, (arm + 1) * seeds));
      return estimate.mean === null ? [] : [[id, [{ value: estimate.mean, band: tellingInterval(estimate) }]] as const];
    });
    return { at: update, byArm: Object.fromEntries(ofArm) };
  });
  return (
    <div className="imitation" data-testid="imitation">
      <SmallCurves name="Imitation over its steps" unit="step" curves={[LOSS]} points={points} arms={arms} />
    </div>
  );
}
