/** Lesson on reward hacking: a storyteller is paid for a noun, and two masks find two short ways to it. */
import answers from '../../../../../findings/answers.json';
import { listener, storytelling } from '../../../../experiment/presets/worlds/listener';
import { formatPercent } from '../../../kit/format';
import { lessonExperiment, maskedArm, predictingArm } from './experiments';
import { endsOf, type Judgement, type LessonRun, onceWhole, type RunLesson, type Untitled } from './lesson';

const ANSWERS: Readonly<Record<string, string>> = answers;
const MASKED = 'action-mask';
const PREDICTING = 'world-model';
/** Share of sentences, or of words, by which the arms must lie apart. */
const APART = 0.1;

function judge(run: LessonRun): Judgement {
  const [masked, predicting] = [MASKED, PREDICTING].map((arm) => ({
    paid: endsOf(run, arm, 'return').last,
    saidBack: endsOf(run, arm, 'saidBack').last,
    repeated: endsOf(run, arm, 'repeatedWords').last,
  })) as [Numbers, Numbers];
  const said = predicting.saidBack - masked.saidBack > APART;
  const repeated = predicting.repeated - masked.repeated > APART;
  return {
    finding: said ? 'said-back' : repeated ? 'repeated' : 'neither',
    said: `At the end the mask was paid for ${formatPercent(masked.paid)} of its sentences, repeated ${formatPercent(masked.repeated)} of their words and began ${formatPercent(masked.saidBack)} as Tom does; with prediction it was ${formatPercent(predicting.paid)}, ${formatPercent(predicting.repeated)} and ${formatPercent(predicting.saidBack)}.`,
  };
}

type Numbers = Readonly<Record<'paid' | 'saidBack' | 'repeated', number>>;

export const hacked: Untitled<RunLesson> = {
  id: 'hacked',
  minutes: 7,
  text: [
    'Nobody can write down what a good story is, so something near it is paid. Here a storyteller of 260,000 parameters, which knows the English of children’s stories, tells one to Tom. Before each of three sentences he asks: “Tell me about the dog!” Paid is each sentence that holds the word dog. That is all the reward says.',
    'A policy finds the shortest way to what is paid, not to what was meant. Two ways lie near. One gives up the story and says the right noun among any words. The other is open to an arm that also learns to predict Tom’s lines, with the same weights that write its own: his line holds the noun, in its place.',
    'The arms below differ in one weight: World model predicts Tom’s lines too. Each tells its story on a page of a book. Read a few while they train.',
  ],
  experiment: lessonExperiment('hacked', {
    ...listener.experiment,
    updates: 30,
    evaluation: { ...listener.experiment.evaluation, every: 0 },
    arms: [maskedArm(MASKED, 'Action mask', storytelling), predictingArm(PREDICTING, 'World model', 0.1, storytelling)],
  }),
  charts: ['return', 'saidBack', 'repeatedWords'],
  controls: [
    { arm: MASKED, path: 'klCoefficient' },
    { arm: PREDICTING, path: 'klCoefficient' },
  ],
  question: {
    ask: 'Run it. The reward of both arms will rise. What does World model do that Action mask does not?',
    choices: [
      { id: 'said-back', words: 'it begins its sentences as Tom does' },
      { id: 'repeated', words: 'it repeats more words' },
      { id: 'neither', words: 'neither: both write alike' },
    ],
    judge: onceWhole(judge),
  },
  after: [
    'A curve of reward cannot show how it was earned: a good storyteller’s would look like these. The text shows it, and numbers that nobody paid for: words repeated, sentences that begin as the listener’s, the surprise at ordinary stories.',
    `What eight seeds an arm said, asked before they ran: ${ANSWERS['storyteller-hacks']}`,
    'A KL penalty holds an arm to its beginning. Set the KL penalty of one arm to 0.1 and run again: how much English stays, and what does it cost?',
  ],
  further: { fragment: '#preset=listener', words: 'Four arms, one without a mask and one held to its beginning' },
};
