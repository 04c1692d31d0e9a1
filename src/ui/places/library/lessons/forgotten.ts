/** Forgetting the mask: the world’s answers are rewarded and punished as if the agent had chosen them. */
import { defaultArm } from '../../../../experiment/experiment';
import { formatMeasured } from '../../../kit/format';
import { lessonExperiment, maskedArm } from './experiments';
import { endsOf, type Judgement, type LessonRun, onceWhole, type RunLesson, type Untitled } from './lesson';

const MASKED = 'action-mask';
const UNMASKED = 'no-mask';
const learningRate = 3e-3;
/** Share of its beginning by which a curve must move to have moved at all. */
const MOVED = 0.1;

const unmasked = defaultArm(UNMASKED, 'No mask');

function judge(run: LessonRun): Judgement {
  const without = endsOf(run, UNMASKED, 'observationCrossEntropy');
  const masked = endsOf(run, MASKED, 'observationCrossEntropy');
  const ratio = without.last / without.first;
  return {
    finding: ratio > 1 + MOVED ? 'rises' : ratio < 1 - MOVED ? 'falls' : 'stays',
    said: `Without the mask it went from ${formatMeasured(without.first)} to ${formatMeasured(without.last)} nats; with the mask it ended at ${formatMeasured(masked.last)}.`,
  };
}

export const forgotten: Untitled<RunLesson> = {
  id: 'forgotten',
  minutes: 4,
  text: [
    'Leaving the mask out is a mistake of one line, and trainers that are widely used have made it. Nothing crashes. The curves of the reward look as noisy as ever. What happens is this: the policy gradient makes every token of a good episode more likely and every token of a bad one less likely, and now that includes what the world said.',
    'To make a true answer of the world less likely is to learn that what happened would not happen. In a bad episode there is no better answer that the world could have given, so there is nothing to learn in its place.',
    'The two arms below differ in one cell of the table: in “No mask” observations carry the policy’s weight as well.',
  ],
  experiment: lessonExperiment('forgotten', {
    updates: 120,
    seeds: 3,
    batch: { groups: 4, groupSize: 8 },
    arms: [
      maskedArm(MASKED, 'Action mask', { learningRate }),
      { ...unmasked, objective: 'no-mask', pg: { ...unmasked.pg, observation: 1 }, learningRate },
    ],
  }),
  charts: ['observationCrossEntropy', 'successRate'],
  controls: [],
  question: {
    ask: 'Run it. Without the mask, what becomes of the prediction error?',
    choices: [
      { id: 'falls', words: 'it falls: the arm learns from the answers too' },
      { id: 'stays', words: 'it stays where it began' },
      { id: 'rises', words: 'it rises: the arm unlearns what the world says' },
    ],
    judge: onceWhole(judge),
  },
  after: [
    'Look at the success of both arms now: so early it tells you little or nothing. The curve that gives the mistake away is the one hardly anybody plots. That is why the lab measures the prediction error in every arm, whether it is trained or not.',
    'Under “Which tokens learn” press the observation’s cell of “No mask”, mask it, and run again: the curves become those of the other arm.',
  ],
  further: {
    fragment: '#preset=failure-mask-leak',
    words: 'The same mistake in the larger grid, with the light that warns of it',
  },
};
