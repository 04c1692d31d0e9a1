/** Lesson on failures of training: a policy that settles before it has found out, and the curve that shows it. */
import { findPreset } from '../../../../experiment/presets/presets';
import { formatPercent } from '../../../kit/format';
import { lessonExperiment, maskedArm } from './experiments';
import {
  endsOf,
  type Judgement,
  type LessonRun,
  onceWhole,
  REACHED,
  type RunLesson,
  SHORT,
  type Untitled,
} from './lesson';

const LONG = 'long-steps';
/** Share of its first entropy that the arm is to keep, and success that it is to end with. */
const KEEPS = 0.25;
const ENDS_WITH = 0.4;

function judge(run: LessonRun): Judgement {
  const entropy = endsOf(run, LONG, 'entropy');
  const success = endsOf(run, LONG, 'successRate');
  const kept = entropy.last / entropy.first;
  return {
    finding: kept >= KEEPS && success.last >= ENDS_WITH ? REACHED : SHORT,
    said: `“Long steps” kept ${formatPercent(kept)} of the entropy it began with, and ended at ${formatPercent(success.last)} success.`,
  };
}

const collapse = findPreset('failure-entropy-collapse')?.experiment;
if (collapse === undefined) throw new Error('The preset of the entropy’s collapse is gone.');

export const failing: Untitled<RunLesson> = {
  id: 'failing',
  minutes: 6,
  text: [
    'Training rarely fails with an error. A curve goes up, or flattens, and one has to know which other curve to look at. The commonest failure is this one: the policy becomes sure of itself before it knows anything.',
    'Entropy says how undecided it is among the moves it may make. While it tries many things, some are rewarded and become more likely. A step that is too long makes the moves that were rewarded first so likely that nothing else is tried. What is not tried is never rewarded, so there is no way back: all episodes of a group are alike, and the group is silent.',
    'Below, agents answer sums in their heads. Both arms are the same but for their learning rate, the length of a step: 0.02 and 0.001.',
  ],
  experiment: lessonExperiment('failing', {
    updates: 100,
    batch: { groups: 8, groupSize: 8 },
    environment: collapse.environment,
    policy: collapse.policy,
    arms: [
      maskedArm(LONG, 'Long steps', { learningRate: 0.02, entropyCoefficient: 0 }),
      maskedArm('short-steps', 'Short steps', { learningRate: 0.001, entropyCoefficient: 0 }),
    ],
  }),
  charts: ['entropy', 'successRate'],
  controls: [
    { arm: LONG, path: 'learningRate' },
    { arm: LONG, path: 'entropyCoefficient' },
  ],
  question: {
    ask: 'Run it and watch “Long steps”. Then save that arm: find a setting with which it keeps a quarter of the entropy it began with and ends above 40% success, and run that to its end.',
    choices: [],
    judge: onceWhole(judge),
  },
  after: [
    'There is more than one way: shorter steps, or a bonus for entropy, which pays the policy for staying undecided. Both can be overdone, and then nothing is learned in time.',
    'The lab keeps a light for each of the failures it knows, beside each arm’s name once something is wrong. They are judged by numbers of the run, and each says by which.',
  ],
  further: { fragment: '#preset=failure-reward-hacking', words: 'A failure that its own return hides' },
};
