/** Advantages as five dispatches, which pass on numbers in scratch; formulas are in the shaders of the same names. */
import type { AdvantageOperations } from '../operations/advantage';
import type { Recorder } from './recorder';

export function advantageOperations(recorder: Recorder): AdvantageOperations {
  return {
    advantages(advantage, returns, groupTable, scratch, batch, inputs, hyper) {
      const { roles, outcomes, groupStart, trajectories, context, groups } = batch;
      const { turns, ...given } = inputs;
      const tensors = { advantage, returns, groupTable, scratch, roles, outcomes, groupStart, hyper, ...given };
      const perTrajectory = { tensors, params: { trajectories, context, turns }, groups: trajectories };
      recorder.threads('advantage/trajectories', trajectories, { tensors, params: { trajectories, context, turns } });
      recorder.dispatch('advantage/scores', { tensors, params: { trajectories, context, turns, groups }, groups: 1 });
      recorder.dispatch('advantage/credit', perTrajectory);
      recorder.dispatch('advantage/tokens', perTrajectory);
      recorder.dispatch('advantage/whiten', perTrajectory);
    },
  };
}
