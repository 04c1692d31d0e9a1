/** Price of a failed tool call: rewards of papers on tool use, side by side. */
import type { Arm } from '../../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy } from '../preset';

/** Right or wrong alone, which is what ToRL (arXiv 2503.23383) pays; imitating, since a form of four words is not found by chance. */
const outcomeOnly: Arm = {
  ...actionMask,
  id: 'outcome-only',
  name: 'Outcome only',
  warmStart: 'actions',
  outcomeForm: 'signed',
  entropyCoefficient: 0,
};

const paying = (id: string, name: string, outcome: number, format: number): Arm => ({
  ...outcomeOnly,
  id,
  name,
  formatForm: 'all',
  reward: { ...outcomeOnly.reward, outcome, format },
});

export const toolRewards: readonly Preset[] = [
  {
    id: 'tool-rewards',
    claim: 'Does a price on failed calls make better calls, or fewer?',
    experiment: {
      ...baseExperiment,
      preset: 'tool-rewards',
      title: 'What should a failed call cost?',
      updates: 150,
      policy: smallPolicy,
      environment: { id: 'own', settings: { world: '@calculator' } },
      evaluation: { every: 50, tasks: 64, toolEvery: 0 },
      arms: [outcomeOnly, paying('priced-calls', 'ToRL, priced calls', 1, 0.5), paying('toolrl', 'ToolRL', 3, 1)],
    },
  },
];
