/** λ that follows the run, as formulas of the prediction loss: by success, by update, or held. */
import type { Arm } from '../experiment';
import { scheduledPredictionText } from '../formulaTexts';
import { NOWHERE } from '../ownLosses';
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
    'Four seeds of 150 updates tell no difference: areas under the success curve of 0.19 (0.13 to 0.26) for the action mask, 0.24 (0.18 to 0.30) with λ held, ' +
    '0.22 (0.18 to 0.27) by success and 0.26 (0.19 to 0.32) by update. By success λ had fallen to a fifth of its weight at the end (0.13 to 0.36), by update it is 0 from update 100 on, ' +
    'and what was foreseen is forgotten: cross-entropy of observations ended at 2.5 to 2.9 nats there, at 1.1 to 1.8 by success and 0.8 to 1.0 held. ' +
    'Would a longer run, or another λ, tell them apart? The factor is a curve under Training (“factor”). PaW (arXiv 2606.02388) balances by the reward of each group; this is the same thought over a whole run.',
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
