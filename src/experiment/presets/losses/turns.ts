/** World model and policy in one update or in turn, and ways of drawing actions that explore: each as one question. */
import type { Arm, Experiment } from '../../experiment';
import { actionMask, fiveByFive, type Preset, worldModelOf } from '../preset';

const experiment = (preset: string, title: string, arms: readonly Arm[]): Experiment => ({
  ...fiveByFive,
  preset,
  title,
  arms: [...arms],
});

const mixed = worldModelOf(actionMask, 0.1);

export const inTurn: Preset = {
  id: 'world-model-in-turn',
  claim:
    'Every second update trains the world model alone and the others the policy alone: is that better than one loss that mixes both, or than no prediction?',
  experiment: experiment('world-model-in-turn', 'Predict and act in one step, or in turn?', [
    actionMask,
    mixed,
    { ...mixed, id: 'in-turn', name: 'In turn', worldModelEvery: 2, worldModelBetween: 'policy' },
  ]),
};

export const exploration: Preset = {
  id: 'exploration',
  claim:
    'A fifth of the words drawn evenly at first, a hotter policy at first, or only the likeliest words: does it change when a rare reward is learned from?',
  experiment: experiment('exploration', 'Does drawing otherwise find a rare reward sooner?', [
    { ...actionMask, id: 'policy', name: 'As the policy says' },
    { ...actionMask, id: 'epsilon', name: 'ε, annealed', uniformShare: 0.2, annealing: 100, ratioBase: 'behaviour' },
    { ...actionMask, id: 'hot', name: 'Hot, then cool', temperature: 1.5, annealing: 100, finalTemperature: 1 },
    { ...actionMask, id: 'nucleus', name: 'Top-p', topP: 0.9, ratioBase: 'behaviour' },
  ]),
};
