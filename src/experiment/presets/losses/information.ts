/** Information gain: turns of a search paid by how much likelier they made the right answer. */
import type { Arm } from '../../experiment';
import { findObjective, withObjective } from '../../objectives/objectivePresets';
import type { ObjectiveId } from '../../settings/objectives';
import { actionMask, type Preset } from '../preset';
import { forOneFile } from '../worlds/ownWorlds';

const arm = (id: string, name: string, objective: ObjectiveId, more: Partial<Arm> = {}): Arm => ({
  ...withObjective({ ...actionMask, id, name }, findObjective(objective)),
  entropyCoefficient: 0.01,
  ...more,
});
const informed = { reward: { ...actionMask.reward, information: 1 } };

export const informationGain: Preset = {
  id: 'information-gain',
  claim:
    'A search is paid by how much likelier it made the right answer, in the policy’s own eyes: does it learn to search sooner?',
  experiment: {
    ...forOneFile,
    preset: 'information-gain',
    title: 'Does it pay to pay for what a search found out?',
    environment: { id: 'own', settings: { world: '@search' } },
    arms: [
      arm('grpo', 'GRPO', 'grpo', { klCoefficient: 0 }),
      arm('igpo', 'IGPO', 'igpo', informed),
      arm('igpo-apart', 'IGPO, last turns apart', 'igpo', { ...informed, turnComparison: 'last-apart' }),
      arm('turns', 'Turns without gain', 'igpo'),
    ],
    evaluation: { every: 50, tasks: 64, toolEvery: 0 },
  },
};
