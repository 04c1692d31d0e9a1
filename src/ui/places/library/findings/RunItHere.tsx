/** The way to run a finding again: here, with its curves over the recorded ones and a verdict, or by the command. */

import { rerunInWords } from '../../../../experiment/findings/findingWords';
import type { Asked } from '../../../../experiment/findings/told';
import { formatCount } from '../../../kit/format';
import { fragmentOf } from '../../../model/place';
import type { LiveRerun } from './live';
import { rerunLink } from './useRerun';

interface Props {
  readonly card: Asked;
  /** Command that does the same. */
  readonly command: string;
  readonly live: LiveRerun | null;
}

export function RunItHere({ card, command, live }: Props) {
  const { name, claim, finding } = card;
  const link = rerunLink(card);
  const compared = claim.comparisons.find(({ id }) => id === claim.rerun.comparison);
  const names = [compared?.first ?? '', compared?.second ?? ''].map((id) => finding.conditions[id]?.name);
  return (
    <section className="finding-again stack ruled" aria-label="Run it again">
      {link === null ? (
        <p className="small">
          What is compared here differs in more than an arm’s settings, so no one experiment holds both. The experiments
          are linked below, and the command runs it again.
        </p>
      ) : (
        <p>
          <a className="button" href={fragmentOf({ place: 'findings', name, experiment: `#${link}` })}>
            Run it here
          </a>{' '}
          <span className="small soft">
            opens “{names[0]}” and “{names[1]}” with {claim.rerun.seeds} new seeds in the lab.{' '}
            {finding.comparisons === null
              ? 'Nothing is recorded yet to judge them by.'
              : 'Press Run there: their curves grow over the recorded ones here, and are judged in the end.'}
          </span>
        </p>
      )}
      <p role="status" className={live?.verdict == null ? 'small' : 'bold'}>
        {live !== null && progressInWords(live)}
      </p>
      <p className="small soft">
        <code>{command}</code> runs it again elsewhere and says whether it came out the same.
      </p>
    </section>
  );
}

function progressInWords({ verdict, updates, of }: LiveRerun): string {
  if (verdict !== null) return rerunInWords(verdict);
  if (updates >= of) return 'Through, but there is nothing recorded to judge it by yet.';
  return `Running here: ${formatCount(updates)} of ${formatCount(of)} updates. Judged once it is through.`;
}
