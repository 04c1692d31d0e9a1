/** Settings of an arm's memory of solved episodes, and of how it learns from them again. Read by rl/replay.ts. */
import { choice, integer, isOneOf, not, real } from '../../hyperparameters/setting';

const replay = choice(
  'Replay of successes',
  'Remembers solved episodes, and in later updates puts some in the place of its own. By cross-entropy their actions are imitated; by policy gradient they have the advantage that they had among their group when they were played, and the arm’s ratio.',
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
    help: 'Share of an update’s batch that solved episodes from the memory take, as far as it has any; the episodes played there count as played, but are not learned from.',
    default: 0.25,
    min: 0.01,
    max: 0.9,
    soft: [0.05, 0.5],
    step: 0.05,
    when: isReplayed,
  }),
  replayWeight: real({
    label: 'Weight of replay',
    help: 'What the mean loss over the replayed tokens is multiplied by, once the memory fills its share of the batch.',
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
    help: 'How many of them may be of the same task; the same actions again take the place of those before.',
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
} as const;
