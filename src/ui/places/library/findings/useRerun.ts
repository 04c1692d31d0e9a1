/** Rerun of a claim that is on screen: its curves as they grow, and the verdict once it is through. */
import { useMemo } from 'react';
import type { Claim } from '../../../../experiment/findings/claim';
import type { Finding } from '../../../../experiment/findings/finding';
import { isRerun, rerunExperiment } from '../../../../experiment/findings/rerun';
import type { AnsweredClaim } from '../../../../experiment/findings/told';
import { decodeLink, encodeLink } from '../../../../experiment/link/link';
import { useLabParts, useLabState } from '../../../model/useLab';
import { type LiveRerun, liveOf } from './live';

/** Link of the rerun's experiment; null where one experiment cannot hold both conditions. */
export function rerunLink({ claim, finding }: AnsweredClaim): string | null {
  const experiment = rerunExperiment(claim, finding);
  return experiment === null ? null : encodeLink(experiment);
}

/** Rerun on screen; null where another run is, or none. */
export function useRerun({ claim, finding }: AnsweredClaim): LiveRerun | null {
  const { running, history } = useLabParts('running', 'history');
  // Numbers arrive with it.
  const tick = useLabState((state) => state.tick);
  const isOwn = useMemo(() => running !== null && isOf(running, claim, finding), [running, claim, finding]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the history is the same object while it grows
  return useMemo(
    () => (isOwn && running !== null && history !== null ? liveOf(running.updates, history, claim, finding) : null),
    [isOwn, running, history, tick, claim, finding],
  );
}

function isOf(running: Parameters<typeof isRerun>[0], claim: Claim, finding: Finding): boolean {
  const experiment = rerunExperiment(claim, finding);
  const [condition] = Object.values(finding.conditions);
  return (
    experiment !== null && condition !== undefined && isRerun(running, experiment, decodeLink(condition.link).seed)
  );
}
