/** The axis of the cross-entropy chart: without a mask the line leaves any readable range, so the person chooses. */
import type { CrossEntropyAxis } from '../../store/preferences';
import { useLab, usePreferences } from '../useLab';

const CHOICES: readonly (readonly [CrossEntropyAxis, string])[] = [
  ['clipped', 'cut axis'],
  ['whole', 'whole axis'],
  ['log', 'log axis'],
];

export function AxisChoice() {
  const lab = useLab();
  const choice = usePreferences((state) => state.crossEntropyAxis);
  return (
    <select
      className="chart-choice small"
      aria-label="Axis of the cross-entropy chart"
      data-testid="axis-choice"
      value={choice}
      onChange={({ target }) => {
        const chosen = CHOICES.find(([value]) => value === target.value);
        if (chosen !== undefined) lab.preferences.setState({ crossEntropyAxis: chosen[0] });
      }}
    >
      {CHOICES.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
