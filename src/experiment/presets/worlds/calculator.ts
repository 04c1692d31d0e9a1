/** The calculator: what an agent knows once its tool is gone. */
import type { Arm } from '../../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, worldModelOf } from '../preset';

const warmMask: Arm = {
  ...actionMask,
  warmStart: 'actions',
  innerEpochs: 1,
  entropyCoefficient: 0.05,
};

export const calculatorWithoutTool: Preset = {
  id: 'calculator-without-tool',
  claim: 'Does predicting what the tool answers leave something once the tool is taken away?',
  finding: 'tool-taken-away',
  experiment: {
    ...baseExperiment,
    preset: 'calculator-without-tool',
    title: 'What is left when the tool is gone?',
    updates: 400,
    environment: environmentOf('calculator', {
      tool: 'down',
      failure: 0.5,
      turns: 2,
      demonstrator: 'relies-on-tool',
      heldOut: 0,
    }),
    batch: { groups: 32, groupSize: 8 },
    evaluation: { every: 40, tasks: 64, toolEvery: 0 },
    arms: [warmMask, worldModelOf(warmMask, 0.2)],
  },
};
