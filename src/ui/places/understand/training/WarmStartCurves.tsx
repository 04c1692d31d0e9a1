/** Readings of the warm start: means over the seeds, over its supervised steps. */

import { summarise, tellingInterval } from '../../../../experiment/conclude/statistics';
import type { Arm } from '../../../../experiment/experiment';
import {
  WARM_START_METRICS,
  type WarmStartMetric,
  type WarmStartReading,
} from '../../../../rl/measure/warmStartReadings';
import { Caption } from '../../../kit/Caption';
import { formatDecimals, formatMeasured, formatPercent } from '../../../kit/format';
import { type SmallCurve, SmallCurves, type SmallPoint } from '../../../model/charts/SmallCurves';
import { useLabState } from '../../../model/useLab';

const CURVES: Readonly<Record<WarmStartMetric, SmallCurve>> = {
  passAt1: { title: 'pass@1', format: formatPercent, to: 1 },
  passAt16: { title: 'pass@16', format: formatPercent, to: 1 },
  entropy: { title: 'entropy of actions, nats', format: formatMeasured, from: null, to: null },
  kl: { title: 'KL to the start, nats', format: formatMeasured, to: null },
  observationCrossEntropy: { title: 'prediction error, nats', format: formatMeasured, from: null, to: null },
  gradientRatio: { title: '‖∇ observations‖ ÷ ‖∇ actions‖', format: formatMeasured, to: null },
  gradientCosine: {
    title: 'cosine of the two gradients',
    format: (value) => formatDecimals(value, 2),
    from: -1,
    to: 1,
  },
};

export function WarmStartCurves() {
  const readings = useLabState((state) => state.warmStart);
  const experiment = useLabState(({ running, edited }) => running ?? edited);
  const points = readings.map((reading) => pointOf(reading, experiment.arms, experiment.seeds));
  return (
    <>
      <Caption said="Before update 0, over the supervised steps; means over the seeds." about="the warm start">
        Success on the same tasks each time; entropy, KL and surprise of the policies’ own episodes; and how large the
        gradient of the demonstrations’ observations is beside that of their actions, of which an arm may learn neither.
      </Caption>
      <SmallCurves
        name="Warm start over its steps"
        unit="step"
        curves={WARM_START_METRICS.map((metric) => CURVES[metric])}
        points={points}
        arms={experiment.arms}
      />
    </>
  );
}

/** Means over each arm's seeds, with their intervals. */
export function pointOf({ step, members }: WarmStartReading, arms: readonly Arm[], seeds: number): SmallPoint {
  const ofArm = (arm: number) =>
    WARM_START_METRICS.map((_, column) => {
      const values = members.slice(arm * seeds, (arm + 1) * seeds).map((own) => own[column] ?? null);
      const estimate = summarise(values);
      return { value: estimate.mean, band: tellingInterval(estimate) };
    });
  const measured = arms.flatMap(({ id, warmStart }, arm) => (warmStart === 'none' ? [] : [[id, ofArm(arm)] as const]));
  return { at: step, byArm: Object.fromEntries(measured) };
}
