/** Whether a finished run gave what the link that brought it said it would. */
import type { Reproduction } from '../../experiment/result';
import { judge } from '../../store/sentResult';
import { formatPercent, joinNames } from '../format';
import { useLab, useLabState } from '../useLab';

export function Reproduced() {
  const lab = useLab();
  const sent = useLabState((state) => state.sent);
  const running = useLabState((state) => state.running);
  const { history } = lab.store.getState();
  if (sent === null || running === null || history === null) return null;
  const judged = judge(sent, running, history);
  if (judged === null) return null;
  return (
    <p data-testid="reproduced" data-outcome={judged.outcome}>
      {inWords(judged)} <span className="soft">The sender’s run: {sent.result.device}.</span>
    </p>
  );
}

function inWords({ outcome, outside }: Reproduction): string {
  switch (outcome) {
    case 'exact':
      return 'Reproduced exactly: every success rate, return and cross-entropy is the sender’s, bit for bit.';
    case 'within':
      return 'Reproduced within the band: each arm’s mean success lies where 95 of 100 repetitions of the sender’s run would.';
    case 'outside': {
      const arms = outside.map(
        ({ name, theirs, ours }) =>
          `${name} has ${formatPercent(ours)} mean success, the sender ${formatPercent(theirs)}`,
      );
      return `Not reproduced within the band: ${joinNames(arms)}.`;
    }
    case 'unknown':
      return 'Not enough seeds to tell whether it was reproduced: one seed has no band, and the numbers are not the same.';
    default:
      return outcome satisfies never;
  }
}
