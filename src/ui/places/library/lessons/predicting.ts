/** Lesson on predicting the world, what it buys and when it does not: a small run, its seeds, and what larger ones measured. */
import { pairedDifference, tellingInterval } from '../../../../experiment/conclude/statistics';
import { verdictOn } from '../../../../experiment/conclude/verdicts';
import { formatDecimals, formatPercent, plural } from '../../../kit/format';
import { lessonExperiment, maskedArm, predictingArm } from './experiments';
import { type Judgement, type LessonRun, meanOfAll, onceWhole, type RunLesson, type Untitled } from './lesson';

const MASKED = 'action-mask';
const PREDICTING = 'world-model';
const learningRate = 3e-3;

/** Mean success over training, seed against seed. */
function judge(run: LessonRun): Judgement {
  const of = (arm: string): number[] => run.seeds(arm, 'successRate', 0, run.count);
  const difference = pairedDifference(of(MASKED), of(PREDICTING));
  const { mean, seeds } = difference;
  const interval = tellingInterval(difference);
  if (mean === null || interval === null) {
    return { finding: null, said: 'So few seeds have no interval that says something: set Seeds to 4 and run again.' };
  }
  const points = (value: number): string => formatDecimals(100 * value, 0);
  const [low, high] = interval;
  const means = [MASKED, PREDICTING].map((arm) => formatPercent(meanOfAll(run, arm, 'successRate')));
  return {
    finding: low > 0 ? PREDICTING : high < 0 ? MASKED : 'unclear',
    said: `Mean success over training was ${means[0]} with the mask and ${means[1]} with prediction: a difference of ${points(mean)} points, 95% interval ${points(low)} to ${points(high)}, ${plural(seeds, 'seed')}.`,
  };
}

export const predicting: Untitled<RunLesson> = {
  id: 'predicting',
  minutes: 6,
  text: [
    'A reward is one number for a whole episode, and often it is 0. What the world answers is there in every turn. So an arm that also learns to predict the answers has something to learn from while success is still rare. Whether that makes it act better is another matter: knowing where a move leads helps only if the policy puts it to use.',
    `What this lab recorded of it in a larger grid, with policies 32 wide: ${verdictOn('gridworld') ?? ''}`,
    'Now a small run of your own. The arms differ in one weight. Each has four seeds: the same four beginnings and the same tasks in both arms, so that they can be compared in pairs. The 95% interval says which differences would not surprise you, given how much the pairs differ among themselves. If it holds 0, the run does not tell the arms apart.',
  ],
  experiment: lessonExperiment('predicting', {
    updates: 100,
    seeds: 4,
    batch: { groups: 4, groupSize: 8 },
    arms: [
      maskedArm(MASKED, 'Action mask', { learningRate }),
      predictingArm(PREDICTING, 'World model', 0.3, { learningRate }),
    ],
  }),
  charts: ['successRate', 'observationCrossEntropy'],
  controls: [{ arm: PREDICTING, path: 'ce.observation' }, { path: 'seeds' }],
  question: {
    ask: 'Run it. The prediction error of World model will fall. What does the run say about success?',
    choices: [
      { id: PREDICTING, words: 'World model succeeds more often' },
      { id: MASKED, words: 'Action mask succeeds more often' },
      { id: 'unclear', words: 'this run does not tell them apart' },
    ],
    judge: onceWhole(judge),
  },
  after: [
    'This result comes from one small experiment. Set Seeds to 8 and run again: the interval shrinks, and may move to either side. To believe a difference, one also has to ask whether the other arm was given its best settings.',
    `What was recorded in another world, a terminal, with policies 32 wide: ${verdictOn('terminal') ?? ''}`,
  ],
  further: {
    fragment: '#preset=gridworld-searched',
    words: 'Both arms at the settings that the mask’s own search picked',
  },
};
