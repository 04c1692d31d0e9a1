/** Price of a failed tool call: rewards of papers on tool use, side by side. */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, type Preset, smallPolicy } from './preset';

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
    expectation:
      'A question, not a claim: nothing was measured yet. A call is put together freely and can be wrong in form. ToRL (arXiv 2503.23383) pays 1 for a ' +
      'right answer and −1 for a wrong one, and tried 0.5 less where code does not run; ToolRL (arXiv 2504.13958) pays form with 0 or 1 and correctness ' +
      'from −3 to 3, by name, arguments and values of each call: here it is the answer that is right or wrong. The price is paid the other way round, as ' +
      '0.5 for a trajectory without a malformed turn, which is the same within a group. Watch warned turns, tool calls and success.',
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
