/** Lesson on the mask: the same policy, with and without a loss on what the world answers. */
import { formatMeasured } from '../../../kit/format';
import { lessonExperiment, maskedArm, predictingArm } from './experiments';
import { endsOf, type Judgement, type LessonRun, onceWhole, type RunLesson, type Untitled } from './lesson';

const MASKED = 'action-mask';
const PREDICTING = 'world-model';

/** Share of its beginning by which a curve must move to have moved at all. */
const MOVED = 0.05;

function judge(run: LessonRun): Judgement {
  const told = [MASKED, PREDICTING].map((arm) => ({ arm, ...endsOf(run, arm, 'observationCrossEntropy') }));
  const fell = told.filter(({ first, last }) => last < (1 - MOVED) * first).map(({ arm }) => arm);
  const words = told.map(
    ({ arm, first, last }) =>
      `${run.experiment.arms.find(({ id }) => id === arm)?.name}: from ${formatMeasured(first)} to ${formatMeasured(last)} nats`,
  );
  const finding = fell.length === 2 ? 'both' : fell.length === 0 ? 'none' : (fell[0] ?? 'none');
  return { finding, said: `${words.join('; ')}.` };
}

export const mask: Untitled<RunLesson> = {
  id: 'mask',
  minutes: 4,
  text: [
    'An agent writes into a conversation, and so does the world. Here the agent writes a move, the world answers with the name of the cell it has come to, and so on until it stands on the goal or its moves are used up. To the policy, a small transformer, all of this is one row of tokens. It could be trained on every one of them.',
    'Usually it is not. The reward says how good the agent’s moves were, and the world’s answers were nobody’s choice. So each token gets a weight in the loss, and the weight of what the world wrote is 0. That list of weights is the mask. In the table below a solid cell learns and a hatched one does not: “Action mask” learns from its actions alone.',
    'The second arm learns from its actions in the same way. It is also asked to predict each answer of the world before it is told, as a language model predicts the next word. How wrong it is with that is its prediction error, a cross-entropy. It is measured in nats: 0 means that it was certain and right, and a blind guess among all words of this world costs about three and a half.',
  ],
  experiment: lessonExperiment('mask', {
    updates: 60,
    arms: [maskedArm(MASKED, 'Action mask'), predictingArm(PREDICTING, 'World model', 1)],
  }),
  charts: ['observationCrossEntropy', 'successRate'],
  controls: [],
  question: {
    ask: 'Run it. In which arm does the prediction error fall?',
    choices: [
      { id: MASKED, words: 'in Action mask alone' },
      { id: PREDICTING, words: 'in World model alone' },
      { id: 'both', words: 'in both: acting well needs it' },
      { id: 'none', words: 'in neither' },
    ],
    judge: onceWhole(judge),
  },
  after: [
    'What has no weight in the loss is not learned, or only by the way. A masked token is still read: the policy sees the cell it has come to and can act on it. Nothing pushes it to expect that cell, though.',
    'Press a token of an episode, under the world, to see its weight and what the policy thought of it beforehand.',
  ],
  further: {
    fragment: '#preset=gridworld-small',
    words: 'The same two arms, and a third without a mask, in a larger grid',
  },
};
