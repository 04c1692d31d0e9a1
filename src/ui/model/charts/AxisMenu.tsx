/** A chart's vertical axis by hand: from where, to where, and whether steps are sums or factors. */
import { useId } from 'react';
import { NumberField } from '../../kit/NumberField';
import { PopoverButton } from '../../kit/PopoverButton';
import { useLab, useLabState, usePreferences } from '../useLab';
import { AS_MEASURED, type AxisByHand, isByHand } from './axisByHand';
import type { ChartDefinition } from './definition';

export function AxisMenu({ definition: { metric, title, axis } }: { definition: ChartDefinition }) {
  const { preferences } = useLab();
  const ids = useId();
  const byHand = usePreferences(({ axes }) => axes[metric]) ?? AS_MEASURED;
  const measured = useLabState(({ history, update }) => history !== null && update > 0);
  if (!measured) return null;
  const set = (next: AxisByHand) => {
    const { [metric]: _, ...others } = preferences.getState().axes;
    preferences.setState({ axes: isByHand(next) ? { ...others, [metric]: next } : others });
  };
  // A share is typed in percent, as it stands at the axis.
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
    <span className="popover-place chart-menu">
      <PopoverButton
        label={`${title}: vertical axis`}
        words={isByHand(byHand) ? 'Axis*' : 'Axis'}
        name={`${title}: vertical axis${isByHand(byHand) ? ', set by hand' : ''}`}
        className="button button-quiet small"
        testId={`axis-${metric}`}
      >
        {() => (
          <div className="chart-choices small">
            {end('low', 'from')}
            {end('high', 'to')}
            <label>
              <input
                type="checkbox"
                data-testid="axis-log"
                checked={byHand.log}
                onChange={({ target }) => set({ ...byHand, log: target.checked })}
              />{' '}
              logarithmic
            </label>
            <button
              type="button"
              className="button"
              data-testid="axis-reset"
              disabled={!isByHand(byHand)}
              onClick={() => set(AS_MEASURED)}
            >
              Back to auto
            </button>
          </div>
        )}
      </PopoverButton>
    </span>
  );
}
