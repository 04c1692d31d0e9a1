/** Information gain: turns of a search paid by how much likelier they made the right answer. */
import type { Arm } from '../experiment';
import { findObjective, withObjective } from '../objectives/objectivePresets';
import type { ObjectiveId } from '../settings/objectives';
import { forOneFile } from './ownWorlds';
import { actionMask, type Preset } from './preset';

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
  expectation:
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was ' +
    '0.49 (0.46 to 0.54) for GRPO, 0.42 (0.38 to 0.46) for IGPO, 0.46 (0.43 to 0.49) with last turns apart, and ' +
    '0.51 (0.48 to 0.52) with turns compared and nothing paid for gain. Watch the turns: a policy that knows the corpus ' +
    'by heart answers in one, and what a search tells then makes the answer no likelier, for it never learned to read it. Would ' +
    'one that begins by imitating a searcher be paid for it? Nothing was searched.',
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
