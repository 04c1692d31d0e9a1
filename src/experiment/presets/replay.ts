/** Replay of successes: a rare reward that is learned from more than once. */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy } from './preset';

const fresh: Arm = { ...actionMask, id: 'fresh', name: 'Fresh episodes' };
/** The two ways to learn from an earlier success, beside what was just played. */
const imitated: Arm = { ...fresh, id: 'imitated', name: 'Imitated again', replay: 'cross-entropy', replayWeight: 0.2 };
const retrained: Arm = {
  ...fresh,
  id: 'retrained',
  name: 'Trained again',
  replay: 'policy-gradient',
  ratioBase: 'behaviour',
};
/** Imitation of its own successes, and nothing else. */
const rejection: Arm = {
  ...fresh,
  id: 'rft',
  name: 'Imitated alone (RFT)',
  pg: { ...fresh.pg, action: 0 },
  entropyCoefficient: 0,
  replay: 'cross-entropy',
  replayShare: 0.5,
};

export const replay: Preset = {
  id: 'replay-of-successes',
  claim:
    'A quarter of each update is successes of earlier ones, imitated or trained again: is an old success worth more than a fresh episode?',
  expectation:
    'Four seeds of 150 updates: areas under the success curve of 0.19 (0.13 to 0.26) with fresh episodes alone, 0.38 (0.26 to 0.50) with successes imitated besides, ' +
    '0.32 (0.23 to 0.40) with successes trained again by the policy gradient, and 0.45 (0.37 to 0.54) where half of each update is imitated and nothing else is learned. ' +
    'What was replayed was four to five updates old on average, and one task in nine was remembered when it came. ' +
    'Would another learning rate, or a longer run, let fresh episodes catch up? Nothing was searched.',
  experiment: {
    ...baseExperiment,
    preset: 'replay-of-successes',
    title: 'Is an old success worth a fresh episode?',
    updates: 150,
    environment: environmentOf('gridworld', { size: 5 }),
    policy: smallPolicy,
    batch: { groups: 8, groupSize: 8 },
    arms: [fresh, imitated, retrained, rejection],
  },
};
