/** Argument checks of operations/advantage.ts. */
import { GROUP_COLUMNS } from '../columns';
import { type AdvantageOperations, advantageScratch, TURN_PATH_COLUMNS } from '../operations/advantage';
import type { ChecksOf } from './check';

export const ADVANTAGE_CHECKS: ChecksOf<AdvantageOperations> = {
  advantages(check, advantage, returns, group, scratch, batch, inputs, hyper) {
    const { trajectories, context, groups } = batch;
    check.batch(batch);
    check.hyper(hyper);
    check.require(Number.isInteger(inputs.turns) && inputs.turns > 0, `there are ${inputs.turns} turns`);
    check.output(advantage, 'f32', trajectories * context);
    check.output(returns, 'f32', trajectories * context);
    check.output(group, 'f32', groups * GROUP_COLUMNS);
    check.output(scratch, 'f32', scratch.stride);
    check.atLeast(scratch, advantageScratch(batch, inputs.turns));
    const { tokenReward, oldLogProb, referenceLogProb, oldValue, sumOfSquares } = inputs;
    check.dense(batch, tokenReward, oldLogProb, referenceLogProb, oldValue, sumOfSquares);
    check.input(inputs.turnAnchor, 'u32', trajectories * inputs.turns);
    check.input(inputs.turnPath, 'u32', trajectories * inputs.turns * TURN_PATH_COLUMNS);
  },
};
