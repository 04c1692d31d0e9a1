/** How many updates a point of the charts is the mean of: one choice for all charts, which the large ones offer. */
import { SMOOTHINGS } from '../../store/preferences';
import { useLab, usePreferences } from '../useLab';

export function SmoothingChoice() {
  const lab = useLab();
  const chosen = usePreferences((state) => state.smoothing);
  return (
    <select
      className="chart-choice small"
      aria-label="Points of all charts"
      title="Points of all charts"
      data-testid="smoothing-choice"
      value={chosen}
      onChange={({ target }) => {
        const smoothing = SMOOTHINGS.find((choice) => choice === Number(target.value));
        if (smoothing !== undefined) lab.preferences.setState({ smoothing });
      }}
    >
      {SMOOTHINGS.map((updates) => (
        <option key={updates} value={updates}>
          {updates === 1 ? 'raw' : `mean of ${updates}`}
        </option>
      ))}
    </select>
  );
}
