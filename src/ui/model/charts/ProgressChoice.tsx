/** What stands on the horizontal axis, at its end: one choice for all charts, which the large ones offer. */
import type { ProgressAxis } from '../../../store/keep/preferences';
import { Choice } from '../../kit/Choice';
import { useLab, usePreferences } from '../useLab';

const CHOICES = (['updates', 'tokens', 'seconds'] as const satisfies readonly ProgressAxis[]).map(
  (axis) => [axis, axis] as const,
);

export function ProgressChoice({ compact }: { compact: boolean }) {
  const lab = useLab();
  const chosen = usePreferences((state) => state.progress);
  if (compact) return <span className="progress-choice small soft">{chosen}</span>;
  return (
    <Choice
      className="progress-choice small"
      aria-label="All charts over"
      title="All charts over"
      testId="progress-choice"
      value={chosen}
      options={CHOICES}
      onChoose={(progress) => lab.preferences.setState({ progress })}
    />
  );
}
