/** How many updates a point of the charts is the mean of: one choice for all charts, which the large ones offer. */
import { SMOOTHINGS, type Smoothing } from '../../../store/keep/preferences';
import { Choice } from '../../kit/Choice';
import { useLab, usePreferences } from '../useLab';

export function SmoothingChoice() {
  const lab = useLab();
  const chosen = usePreferences((state) => state.smoothing);
  return (
    <Choice
      className="chart-choice small"
      aria-label="Points of all charts"
      title="Points of all charts"
      testId="smoothing-choice"
      value={`${chosen}`}
      options={SMOOTHINGS.map((updates) => [`${updates}`, updates === 1 ? 'raw' : `mean of ${updates}`])}
      onChoose={(updates) => lab.preferences.setState({ smoothing: Number(updates) as Smoothing })}
    />
  );
}
