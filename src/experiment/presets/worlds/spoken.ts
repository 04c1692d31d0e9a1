/** A pretrained storyteller in the lab's calculator, said in English: what a demonstration has to teach it. */
import type { Arm } from '../../experiment';
import { actionMask, type Preset } from '../preset';
import { forTexts } from './words';

const armFrom = (warmStart: Arm['warmStart'], name: string): Arm => ({
  ...actionMask,
  ...{ id: warmStart, name, warmStart, learningRate: 0.0002, klCoefficient: 0, entropyCoefficient: 0 },
});

export const spokenCalculator: Preset = {
  id: 'english-calculator',
  claim:
    'What has a storyteller to be shown to ask a calculator in English and pass its answer on: what to write, or also what comes back?',
  experiment: {
    ...forTexts,
    preset: 'english-calculator',
    title: 'A storyteller asks a calculator',
    updates: 30,
    environment: {
      id: 'own',
      settings: { world: '@english/calculator', operations: 'add', tool: 'works', turns: 2, room: 256 },
    },
    // After 100 updates there is little left for the reward; after 40 an answer that is wrong is wrong in the whole group.
    warmStart: { ...forTexts.warmStart, updates: 80, learningRate: 0.002, batch: 16, measureEvery: 20 },
    evaluation: { every: 20, tasks: 32, toolEvery: 20 },
    arms: [armFrom('actions', 'Shown what to write'), armFrom('actions-and-observations', 'Shown answers, too')],
  },
};
