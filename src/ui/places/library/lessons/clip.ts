/** Ratio and clip: how far a policy may move on one batch. */
import { formatSmallPercent, joinNames } from '../../../kit/format';
import { lessonExperiment, maskedArm } from './experiments';
import { type Judgement, type LessonRun, meanOfAll, onceWhole, type RunLesson, type Untitled } from './lesson';

const ARMS = ['one-pass', 'four-passes', 'narrow-clip'] as const;
const learningRate = 3e-3;

function judge(run: LessonRun): Judgement {
  const clipped = ARMS.map((arm) => ({ arm, value: meanOfAll(run, arm, 'clipFraction') }));
  const words = clipped.map(
    ({ arm, value }) => `${run.experiment.arms.find(({ id }) => id === arm)?.name} ${formatSmallPercent(value)}`,
  );
  const never = clipped.filter(({ value }) => value === 0).map(({ arm }) => arm);
  const finding = never.length === 1 ? (never[0] ?? 'none') : never.length === 0 ? 'none' : 'several';
  return { finding, said: `Action tokens that were clipped: ${joinNames(words)}.` };
}

export const clip: Untitled<RunLesson> = {
  id: 'clip',
  minutes: 5,
  text: [
    'Episodes are dear, so one would like to learn from each batch more than once. But after the first step the policy is no longer the one that played, and what it was paid for is no longer quite what it would do.',
    'The ratio says how far it has gone: the probability that the policy gives a token now, divided by the one it had when the token was drawn. It is 1 before the first step. Where the advantage is positive, learning pushes the ratio up; where it is negative, down.',
    'The clip ends that. Beyond 1 + ε, or below 1 − ε on the other side, a token’s gradient is 0: it has been learned from enough. The clip fraction is the share of action tokens to which that happened. The three arms below learn from the same kind of batch: once; four times with ε = 0.2; and four times with ε = 0.02.',
  ],
  experiment: lessonExperiment('clip', {
    updates: 40,
    batch: { groups: 4, groupSize: 8 },
    arms: [
      maskedArm('one-pass', 'One pass', { learningRate, innerEpochs: 1 }),
      maskedArm('four-passes', 'Four passes', { learningRate, innerEpochs: 4 }),
      maskedArm('narrow-clip', 'Four passes, narrow clip', {
        learningRate,
        innerEpochs: 4,
        clipLow: 0.02,
        clipHigh: 0.02,
      }),
    ],
  }),
  charts: ['clipFraction', 'entropy'],
  controls: [
    { arm: 'narrow-clip', path: 'clipLow' },
    { arm: 'narrow-clip', path: 'clipHigh' },
  ],
  question: {
    ask: 'Run it. In which arm is no token ever clipped?',
    choices: [
      { id: 'one-pass', words: 'in the one that learns from each batch once' },
      { id: 'four-passes', words: 'in the one with ε = 0.2: that is wide enough' },
      { id: 'narrow-clip', words: 'in the one with ε = 0.02: it never gets that far' },
      { id: 'none', words: 'in none of them' },
    ],
    judge: onceWhole(judge),
  },
  after: [
    'With one pass the policy that learns is the policy that played: every ratio is 1, and the clip has nothing to do. It matters only from the second pass on, and then a narrow one stops many tokens and a wide one few.',
    'Move ε of the third arm while it trains, or before you run again: the curve shows when. An ε of its own for each side is what DAPO calls clip-higher.',
  ],
  further: {
    fragment: '#preset=gridworld-searched',
    words: 'An experiment whose arms learn from each batch four times',
  },
};
