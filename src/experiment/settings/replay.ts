/** Settings of an arm's memory of solved episodes, and of how it learns from them again. Read by rl/play/replay.ts. */
import { choice, integer, isOneOf, not, real } from '../../hyperparameters/setting';

const replay = choice(
  'Replay of successes',
  'Solved episodes are remembered, and take the place of some in later updates: imitated, or trained by the arm’s ratio with the advantage they had.',
  {
    none: 'none',
    'cross-entropy': 'by cross-entropy (RFT)',
    'policy-gradient': 'by policy gradient (WebRL)',
  },
);

const isReplayed = not(isOneOf(replay, 'none'));

export const REPLAY = {
  replay,
  replayShare: real({
    label: 'Share replayed',
    help: 'Share of a batch that remembered episodes take, as far as there are any; what was played there is not learned from.',
    default: 0.25,
    min: 0.01,
    max: 0.9,
    soft: [0.05, 0.5],
    step: 0.05,
    when: isReplayed,
  }),
  replayWeight: real({
    label: 'Weight of replay',
    help: 'Factor of the mean loss over replayed tokens, once the memory fills its share.',
    default: 1,
    min: 0,
    max: 100,
    soft: [0, 2],
    step: 0.05,
    when: isReplayed,
  }),
  replaySize: integer({
    label: 'Episodes remembered',
    help: 'How many solved episodes a policy remembers at most.',
    default: 128,
    min: 1,
    max: 512,
    soft: [8, 256],
    step: 8,
    when: isReplayed,
  }),
  replayPerTask: integer({
    label: 'Of the same task',
    help: 'How many of them may be of one task; the same actions count once.',
    default: 4,
    min: 1,
    max: 64,
    soft: [1, 16],
    when: isReplayed,
  }),
  replayLeaves: choice(
    'Leaves first',
    'Which episode is forgotten where there are too many, of a task or in all.',
    { oldest: 'the oldest', longest: 'the longest' },
    { when: isReplayed },
  ),
  replayDraws: choice(
    'Drawn',
    'Which remembered episodes come back: all alike, or by the advantage they had, so that successes of tasks that mostly fail come back more often (prioritised replay, self-imitation).',
    { evenly: 'all alike', 'by-advantage': 'in proportion to their advantage' },
    { when: isReplayed },
  ),
} as const;
