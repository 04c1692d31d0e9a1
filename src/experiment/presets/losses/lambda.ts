/** λ that follows the run, as formulas of the prediction loss: by success, by update, or held. */

import { scheduledPredictionText } from '../../arm/formulaTexts';
import { NOWHERE } from '../../arm/ownLosses';
import type { Arm } from '../../experiment';
import { actionMask, fiveByFive, type Preset, worldModelOf } from '../preset';

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
  experiment: {
    ...fiveByFive,
    preset: 'lambda-by-success',
    title: 'λ by success, by update, or held',
    arms: [actionMask, held, scheduled('success', 'λ by success'), scheduled('update', 'λ by update')],
  },
};
