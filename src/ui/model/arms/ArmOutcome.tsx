/** Outcome of an arm: success over the last updates and the last observation cross-entropy, with their intervals. */

import { FINAL_UPDATES } from '../../../experiment/conclude/statistics';
import { type Outcome, outcomeOf } from '../../../store/look/outcomes';
import { formatMeasured, formatPercent } from '../../kit/format';
import { useLabState } from '../useLab';
import { spreadOfShare } from './spread';

function useOutcome(arm: number): Outcome | null {
  const history = useLabState((state) => state.history);
  useLabState((state) => state.tick);
  return history === null || arm < 0 || history.count === 0 ? null : outcomeOf(history, arm);
}

export function ArmOutcome({ index }: { index: number }) {
  const { success = null, crossEntropy = null } = useOutcome(index) ?? {};
  return (
    <>
      <td className="outcome" data-label={`success, last ${FINAL_UPDATES}`} data-value={success?.mean ?? undefined}>
        <span className="outcome-main bold large">{success?.mean == null ? '–' : formatPercent(success.mean)}</span>
        <span className="outcome-interval fine to-left soft">{spreadOfShare(success).replace(/^, /, '')}</span>
      </td>
      <td className="outcome" data-label="observation cross-entropy" data-value={crossEntropy?.mean ?? undefined}>
        {crossEntropy?.mean == null ? '–' : `${formatMeasured(crossEntropy.mean)} nats`}
      </td>
    </>
  );
}
