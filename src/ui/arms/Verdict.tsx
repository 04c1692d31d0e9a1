/** A finished run in a sentence, with its interval; and what it does not show. */
import { pairedDifference, summarise } from '../../experiment/statistics';
import type { MetricHistory } from '../../store/history';
import { formatPercent } from '../format';
import { useLab, useLabState } from '../useLab';

const LAST = 20;

export function Verdict() {
  const lab = useLab();
  const phase = useLabState((state) => state.phase);
  const arms = useLabState((state) => state.running?.arms);
  const updates = useLabState((state) => state.running?.updates ?? 0);
  const { history } = lab.store.getState();
  if (phase !== 'finished' || history === null || arms === undefined) return null;
  return (
    <>
      <p data-testid="verdict">
        <b>Finished.</b>{' '}
        {verdict(
          history,
          arms.map(({ name }) => name),
        )}
      </p>
      <button
        type="button"
        className="button"
        data-testid="extend"
        onClick={() => {
          const { edited } = lab.store.getState();
          lab.editor.edit({ ...edited, updates: 2 * updates });
        }}
      >
        Train on to {2 * updates}
      </button>
    </>
  );
}

/** The best arm of the last updates against the next, paired by seed. */
export function verdict(history: MetricHistory, names: readonly string[]): string {
  const ranked = names
    .map((name, arm) => ({ name, seeds: history.lastOfSeeds(arm, 'successRate', LAST) }))
    .map((entry) => ({ ...entry, mean: summarise(entry.seeds).mean ?? 0 }))
    .sort((a, b) => b.mean - a.mean);
  const [best, next] = ranked;
  if (best === undefined) return '';
  const means = ranked.map(({ name, mean }) => `${name} ${formatPercent(mean)}`).join(', ');
  const reached = `Success over the last ${Math.min(LAST, history.count)} updates: ${means}.`;
  if (next === undefined) return reached;
  const { mean, interval, seeds } = pairedDifference(next.seeds, best.seeds);
  if (mean === null || interval === null)
    return `${reached} There are not enough seeds to tell the arms apart: one seed has no interval.`;
  const points = (value: number) => (100 * value).toFixed(0).replace('-', '−');
  const range = `${points(mean)} points (95% interval ${points(interval[0])} to ${points(interval[1])}, ${seeds} paired seeds)`;
  return interval[0] > 0
    ? `${reached} ${best.name} ended ahead of ${next.name} by ${range}.`
    : `${reached} ${best.name} and ${next.name} differ by ${range}: not enough to tell them apart.`;
}
