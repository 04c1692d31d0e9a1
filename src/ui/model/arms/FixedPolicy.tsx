/** Words in the place of a fixed arm's losses: whose policy plays there, that it learns nothing, and what runs it. */
import type { Arm } from '../../../experiment/experiment';
import { policyName } from '../../../store/lab';
import { useLabState } from '../useLab';

export function FixedPolicy({ arm }: { arm: Arm }) {
  const name = useLabState((state) => policyName(state, arm.fixedPolicy));
  const runtime = useLabState((state) => state.runtimes[arm.id]);
  return (
    <p className="arm-fixed small breaks" data-testid={`fixed-${arm.id}`}>
      <b>Fixed policy</b> · {name}
      <span className="soft">
        {' '}
        · {runtime === undefined ? 'plays as it is and learns nothing' : `learns nothing; runs on ${runtime}`}
      </span>
    </p>
  );
}
