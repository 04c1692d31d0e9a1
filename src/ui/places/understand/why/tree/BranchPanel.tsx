/** One branch of a group's tree: what was done and seen on it, how its rollouts ended, and the way to each of them. */

import { beginsTurn, isDrawn } from '../../../../../foundation/roles';
import type { Inspection } from '../../../../../train/looks/shown';
import { Button } from '../../../../kit/Button';
import { capital, formatMeasured, formatPercent, formatSigned, plural } from '../../../../kit/format';
import type { ArmColour } from '../../../../model/armColour';
import { ArmMark } from '../../../../model/arms/ArmName';
import { writeToken } from '../../../../model/tokens/tokenWords';
import { useLab } from '../../../../model/useLab';
import { turnsOn } from './branchWords';
import { drawTree } from './drawn';

export interface TreeProps {
  readonly inspection: Inspection;
  readonly words: readonly string[];
  readonly colour: ArmColour | undefined;
}

export function BranchPanel({ inspection, at, words, colour }: TreeProps & { at: number }) {
  const { arm, tree, rewards, successes } = inspection;
  const branch = tree[at];
  const own = drawTree(inspection)[at];
  const { inspector } = useLab();
  if (branch === undefined || own === undefined) return null;
  const { tokens, roles } = branch;
  const turns = [...tokens.keys()].filter((t) => t === 0 || beginsTurn(roles, t));
  return (
    <section
      className="inspector-numbers shrinks stack top"
      aria-label="The branch in numbers"
      data-testid="tree-branch"
    >
      <h3>
        {capital(turnsOn(branch))}, {plural(own.rollouts.length, 'rollout')}
      </h3>
      <p className="small row near">
        <ArmMark colour={colour} />
        {arm.name}
      </p>
      <p className="small">
        {formatPercent(own.success)} succeed, mean reward {formatMeasured(own.reward)}
        {Number.isNaN(own.step) ? '.' : `: ${formatSigned(own.step, 2)} against all at the fork it comes from.`}
      </p>
      <h4 className="small soft">Said and done on it</h4>
      <ol className="small stack close">
        {turns.map((from, i) => (
          <li key={from} className="row close">
            {tokens.slice(from, turns[i + 1]).map((token, j) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
                key={j}
                className={isDrawn(roles[from + j] ?? -1) ? 'chip chip-policy' : 'chip chip-veiled'}
              >
                {writeToken(words[token] ?? '?')}
              </span>
            ))}
          </li>
        ))}
        {tokens.length === 0 && <li>Nothing more: these rollouts end where others go on.</li>}
      </ol>
      <h4 className="small soft">Its rollouts</h4>
      <ul className="small stack close">
        {own.rollouts.map((rollout) => (
          <li key={rollout}>
            <Button
              className="button-quiet small"
              onClick={() => {
                inspector.show({ view: 'tokens', arm: arm.id, token: null });
                inspector.choose({ trajectory: rollout });
              }}
            >
              Trajectory {rollout + 1}
            </Button>{' '}
            {successes[rollout] === 1 ? 'success' : 'failed'}, reward {formatMeasured(rewards[rollout] ?? Number.NaN)}
            {branch.ends.includes(rollout) ? ', ends here' : ''}
          </li>
        ))}
      </ul>
    </section>
  );
}
