/**
 * Experiments at the settings that a search picked for the action mask (findings/fair), with both arms at them: all arms
 * of an experiment share one start and one batch. The first experiment is one of them.
 */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy, worldModelOf } from './preset';
import { calculatorWithoutTool } from './worlds/calculator';

/** Numbers that were picked in both worlds. */
const PICKED = { learningRate: 2e-3, entropyCoefficient: 0.06, innerEpochs: 4 } as const;
const policy = { ...smallPolicy, initialScale: 0.02 };

const imitator: Arm = { ...actionMask, warmStart: 'actions', ...PICKED };

const { warmStart, environment } = calculatorWithoutTool.experiment;

export const calculatorSearched: Preset = {
  id: 'calculator-searched',
  claim:
    'Two agents imitate a script, then learn sums from reward; the calculator is down half of the time. The world model also predicts its answers. It ends up better on practised sums. On new ones it is worse while the calculator works, and better when it is gone.',
  finding: 'practised-and-new',
  experiment: {
    ...baseExperiment,
    preset: 'calculator-searched',
    title: 'Does it help to predict what the tool answers?',
    updates: 200,
    environment: { ...environment, settings: { ...environment.settings, heldOut: 0.2 } },
    policy,
    batch: { groups: 64, groupSize: 8 },
    warmStart: { ...warmStart, batch: 128 },
    evaluation: { every: 50, tasks: 64, toolEvery: 20 },
    arms: [imitator, worldModelOf(imitator, 0.1)],
  },
};

const tuned: Arm = { ...actionMask, ...PICKED };

export const gridworldSearched: Preset = {
  id: 'gridworld-searched',
  claim:
    'Two agents learn to walk to a goal. Both learn from reward. The world model also learns to predict what the world answers, and in this one world it arrives more often in the tasks that it practises.',
  finding: 'same-settings',
  experiment: {
    ...baseExperiment,
    preset: 'gridworld-searched',
    title: 'Which tokens should learn? At settings that were searched',
    updates: 150,
    environment: environmentOf('gridworld', { heldOut: 0.2 }),
    policy,
    batch: { groups: 32, groupSize: 8 },
    evaluation: { every: 50, tasks: 64, toolEvery: 0 },
    arms: [tuned, worldModelOf(tuned, 0.1)],
  },
};
