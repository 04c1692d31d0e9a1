/** The axis of the cross-entropy chart: without a mask the line leaves any readable range, so the person chooses. */
import type { CrossEntropyAxis } from '../../../store/keep/preferences';
import { Choice, type Option } from '../../kit/Choice';
import { useLab, usePreferences } from '../useLab';

const CHOICES: readonly Option<CrossEntropyAxis>[] = [
  ['clipped', 'cut axis'],
  ['whole', 'whole axis'],
  ['log', 'log axis'],
];

export function AxisChoice() {
  const lab = useLab();
  const choice = usePreferences((state) => state.crossEntropyAxis);
  return (
    <Choice
      className="chart-choice small"
      aria-label="Axis of the cross-entropy chart"
      testId="axis-choice"
      value={choice}
      options={CHOICES}
      onChoose={(crossEntropyAxis) => lab.preferences.setState({ crossEntropyAxis })}
    />
  );
}
