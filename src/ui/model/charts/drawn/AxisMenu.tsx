/**
 * A chart's axes: what all charts go over and how many updates a point of theirs is the mean of; and the vertical axis by hand,
 * from where, to where, and whether steps are sums or factors.
 */

import { useId } from 'react';
import type { ProgressAxis } from '../../../../measured/progress';
import { type CrossEntropyAxis, SMOOTHINGS, type Smoothing } from '../../../../store/keep/preferences';
import { Button } from '../../../kit/Button';
import { Choice, type Option } from '../../../kit/Choice';
import { Check } from '../../../kit/Fields';
import { NumberField } from '../../../kit/NumberField';
import { PopoverButton } from '../../../kit/PopoverButton';
import { useAsking } from '../../useAsking';
import { useLab, usePreferences } from '../../useLab';
import type { ChartDefinition } from '../kinds/definition';
import { AS_MEASURED, type AxisByHand, isByHand } from './axisByHand';

const PROGRESS: readonly Option<ProgressAxis>[] = [
  ['updates', 'updates'],
  ['tokens', 'tokens'],
  ['seconds', 'seconds'],
];

const POINTS = SMOOTHINGS.map((updates) => [`${updates}`, updates === 1 ? 'raw' : `mean of ${updates}`] as const);

/** Ranges of the cross-entropy's axis: the line of an arm without a mask leaves any readable one. */
const RANGES: readonly Option<CrossEntropyAxis>[] = [
  ['clipped', 'cut axis'],
  ['whole', 'whole axis'],
  ['log', 'log axis'],
];

export function AxisMenu({ definition: { metric, title, axis } }: { definition: ChartDefinition }) {
  const { preferences } = useLab();
  const ids = useId();
  const byHand = usePreferences(({ axes }) => axes[metric]) ?? AS_MEASURED;
  const progress = usePreferences((state) => state.progress);
  const smoothing = usePreferences((state) => state.smoothing);
  const crossEntropyAxis = usePreferences((state) => state.crossEntropyAxis);
  if (useAsking()) return null;
  const set = (next: AxisByHand) => {
    const { [metric]: _, ...others } = preferences.getState().axes;
    preferences.setState({ axes: isByHand(next) ? { ...others, [metric]: next } : others });
  };
  // A share is typed in percent, the unit at the axis.
  const unit = axis === 'share' ? 100 : 1;
  const end = (which: 'low' | 'high', words: string) => (
    <div className="axis-end">
      <label htmlFor={`${ids}-${which}`}>
        {words}
        {unit === 100 && ' (%)'}
      </label>
      <NumberField
        label={`${title}: ${words}`}
        testId={`axis-${which}`}
        id={`${ids}-${which}`}
        value={byHand[which] === null ? null : byHand[which] * unit}
        min={-1e9}
        max={1e9}
        integer={false}
        placeholder="auto"
        onChange={(value) => set({ ...byHand, [which]: value / unit })}
      />
    </div>
  );
  return (
    <span className="chart-menu">
      <PopoverButton
        label={`${title}: axes`}
        words={isByHand(byHand) ? 'Axes*' : 'Axes'}
        name={`${title}: axes${isByHand(byHand) ? ', set by hand' : ''}`}
        className="button button-quiet small"
        testId={`axis-${metric}`}
      >
        {() => (
          <div className="chart-choices small stack">
            <Choice
              place="axis-end"
              label="Charts over"
              testId="progress-choice"
              value={progress}
              options={PROGRESS}
              onChoose={(next) => preferences.setState({ progress: next })}
            />
            <Choice
              place="axis-end"
              label="Points"
              testId="smoothing-choice"
              value={`${smoothing}`}
              options={POINTS}
              onChoose={(updates) => preferences.setState({ smoothing: Number(updates) as Smoothing })}
            />
            {axis === 'crossEntropy' && (
              <Choice
                place="axis-end"
                label="Range"
                testId="axis-choice"
                value={crossEntropyAxis}
                options={RANGES}
                onChoose={(next) => preferences.setState({ crossEntropyAxis: next })}
              />
            )}
            {end('low', 'from')}
            {end('high', 'to')}
            <Check checked={byHand.log} onCheck={(log) => set({ ...byHand, log })}>
              logarithmic
            </Check>
            <Button disabled={!isByHand(byHand)} onClick={() => set(AS_MEASURED)}>
              Back to auto
            </Button>
          </div>
        )}
      </PopoverButton>
    </span>
  );
}
