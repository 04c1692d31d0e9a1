/** Replay of successes: a rare reward that is learned from more than once. */
import type { Arm } from '../../experiment';
import { actionMask, fiveByFive, type Preset } from '../preset';

const fresh: Arm = { ...actionMask, id: 'fresh', name: 'Fresh episodes' };
/** The two ways to learn from an earlier success, beside the new episodes. */
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
  experiment: {
    ...fiveByFive,
    preset: 'replay-of-successes',
    title: 'Is an old success worth a fresh episode?',
    arms: [fresh, imitated, retrained, rejection],
  },
};
