/** λ that follows the run, as formulas of the prediction loss: by success, by update, or held. */

import { scheduledPredictionText } from '../arm/formulaTexts';
import { NOWHERE } from '../arm/ownLosses';
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy, worldModelOf } from './preset';

const held: Arm = { ...worldModelOf(actionMask, 0.1), id: 'held', name: 'λ held' };

const scheduled = (by: Parameters<typeof scheduledPredictionText>[1], name: string): Arm => ({
  ...held,
  id: `by-${by}`,
  name,
  losses: [{ name: `by-${by}`, text: scheduledPredictionText(held, by), place: 'predict', on: NOWHERE, values: {} }],
});

export const lambdaBySuccess: Preset = {
  id: 'lambda-by-success',
  claim:
    'Does prediction help most while little succeeds, so that λ should fall as success rises, or with time, or not at all?',
  expectation:
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 ' +
    '(0.16 to 0.25) for the action mask, 0.24 (0.20 to 0.28) with λ held, 0.22 (0.20 to 0.26) by success and 0.26 ' +
    '(0.21 to 0.29) by update. The factor is a curve under Training (“factor”); by update λ is 0 from update 100 on, ' +
    'and what is foreseen may be forgotten: watch the cross-entropy of observations. Would a longer run, or another ' +
    'λ, tell the arms apart? PaW (arXiv 2606.02388) balances by the reward of each group; this is the same thought ' +
    'over a whole run. Nothing was searched.',
  experiment: {
    ...baseExperiment,
    preset: 'lambda-by-success',
    title: 'λ by success, by update, or held',
    updates: 150,
    environment: environmentOf('gridworld', { size: 5 }),
    policy: smallPolicy,
    batch: { groups: 8, groupSize: 8 },
    arms: [actionMask, held, scheduled('success', 'λ by success'), scheduled('update', 'λ by update')],
  },
};
