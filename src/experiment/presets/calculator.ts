/** The calculator: what an agent knows once its tool is gone. */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, worldModelOf } from './preset';

const warmMask: Arm = {
  ...actionMask,
  warmStart: 'actions',
  innerEpochs: 1,
  entropyCoefficient: 0.05,
};

export const calculatorWithoutTool: Preset = {
  id: 'calculator-without-tool',
  claim:
    'Predicting what the tool answers left these policies able to answer more of the questions they trained on once the tool was taken away.',
  expectation:
    'Both arms begin by imitating an agent that asks the tool, copies its result, and guesses when it is down, which it is ' +
    'in half of the episodes. Four seeds of 400 updates: without the tool, both answered 5% to 7% of the questions right at ' +
    'the beginning; the world-model arm answered 66% to 76% after 280 updates and 88% to 95% at the end, the action-mask ' +
    'arm 21% to 32%, then 30% to 45%. The gain started late, after about 100 updates. The questions are few and all of them ' +
    'are trained on, and nothing was searched. Nothing is claimed of agents that do not begin as imitators.',
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
    evaluation: { every: 40, tasks: 64 },
    arms: [warmMask, worldModelOf(warmMask, 0.2)],
  },
};
