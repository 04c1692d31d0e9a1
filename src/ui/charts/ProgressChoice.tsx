/** What stands on the horizontal axis, at its end: one choice for all charts, which the large ones offer. */
import type { ProgressAxis } from '../../store/preferences';
import { useLab, usePreferences } from '../useLab';

const CHOICES = ['updates', 'tokens', 'seconds'] as const satisfies readonly ProgressAxis[];

export function ProgressChoice({ compact }: { compact: boolean }) {
  const lab = useLab();
  const chosen = usePreferences((state) => state.progress);
  if (compact) return <span className="progress-choice small soft">{chosen}</span>;
  return (
    <select
      className="progress-choice small"
      aria-label="All charts over"
      title="All charts over"
      data-testid="progress-choice"
      value={chosen}
      onChange={({ target }) => {
        const progress = CHOICES.find((choice) => choice === target.value);
        if (progress !== undefined) lab.preferences.setState({ progress });
      }}
    >
      {CHOICES.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}
