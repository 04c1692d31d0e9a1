/** What came of an arm: success over the last 20 updates and the last observation cross-entropy, with their intervals. */
import { type Estimate, summarise } from '../../experiment/statistics';
import type { MetricName } from '../../rl/metrics';
import { formatMeasured, formatPercent } from '../format';
import { useLabState } from '../useLab';
import { spreadOfShare } from './spread';

const SUCCESS_UPDATES = 20;
const CROSS_ENTROPY_UPDATES = 1;

function useEstimate(arm: number, metric: MetricName, updates: number): Estimate | null {
  const history = useLabState((state) => state.history);
  useLabState((state) => state.tick);
  if (history === null || arm < 0 || history.count === 0) return null;
  return summarise(history.lastOfSeeds(arm, metric, updates));
}

export function ArmOutcome({ index }: { index: number }) {
  const success = useEstimate(index, 'successRate', SUCCESS_UPDATES);
  const crossEntropy = useEstimate(index, 'observationCrossEntropy', CROSS_ENTROPY_UPDATES);
  return (
    <>
      <td className="outcome" data-label="success, last 20" data-value={success?.mean ?? undefined}>
        <span className="outcome-main">{success?.mean == null ? '–' : formatPercent(success.mean)}</span>
        <span className="outcome-interval">{spreadOfShare(success)}</span>
      </td>
      <td className="outcome" data-label="observation cross-entropy" data-value={crossEntropy?.mean ?? undefined}>
        {crossEntropy?.mean == null ? '–' : `${formatMeasured(crossEntropy.mean)} nats`}
      </td>
    </>
  );
}
