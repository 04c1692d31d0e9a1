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
  claim: 'Does predicting what the tool answers leave something once the tool is taken away?',
  expectation:
    'Both arms begin by imitating an agent that asks the tool, copies its result, and guesses when it is down, which ' +
    'it is in half of the episodes. At half this width and length and an ordinary start, eight seeds of each arm: ' +
    'with the tool taken away the world model ended at 8% of the questions it trained on and at 4% of others, the ' +
    'action mask at 7% and 3%; alike, within ±0.05. Whether this longer run of wider policies tells them apart is not ' +
    'recorded. The questions are few and all of them are trained on, and nothing was searched. Nothing is claimed of ' +
    'agents that do not begin as imitators.',
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
