import { trainedMembers } from '../../../../experiment/arm/policyFiles';
import type { Experiment } from '../../../../experiment/experiment';
import { plural } from '../../../kit/format';
import { useLabState } from '../../../model/useLab';

/** Number of policies that a run trains, and the source of the charts' dotted lines. It comes when a reader opens it. */
export function Recorded({ experiment }: { experiment: Experiment }) {
  const members = trainedMembers(experiment);
  return (
    <>
      <p>
        A run trains {plural(members, 'small policy', 'small policies')} ({plural(members / experiment.seeds, 'arm')} ×{' '}
        {plural(experiment.seeds, 'seed')}) in this tab; nothing leaves your machine.
      </p>
      <Dotted />
    </>
  );
}

function Dotted() {
  const sent = useLabState((state) => state.sent);
  const arms = useLabState((state) => state.edited.arms);
  if (sent?.from !== 'recording') return null;
  const seeds = sent.result.arms[0]?.area.length ?? 0;
  const isSame = JSON.stringify(arms) === JSON.stringify(sent.experiment.arms);
  return (
    <p className="small soft" data-testid="recorded">
      Dotted in the charts: what came of it when it was recorded, {plural(seeds, 'seed')} on {sent.result.device}.
      {isSame && ' Your run is judged against it.'}
    </p>
  );
}
