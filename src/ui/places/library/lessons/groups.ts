/** Groups and advantages: what an episode is compared with, and why small groups have nothing to say. */
import { formatPercent, plural } from '../../../kit/format';
import { lessonExperiment, maskedArm } from './experiments';
import {
  type Judgement,
  type LessonRun,
  meanOfAll,
  onceWhole,
  REACHED,
  type RunLesson,
  SHORT,
  type Untitled,
} from './lesson';

const ARM = 'grpo';
/** Share of silent groups to get below. */
const FEW = 0.2;

function judge(run: LessonRun): Judgement {
  const silent = meanOfAll(run, ARM, 'zeroVarianceGroups');
  const size = run.experiment.batch.groupSize;
  const success = meanOfAll(run, ARM, 'successRate');
  return {
    finding: silent < FEW ? REACHED : SHORT,
    said: `With ${plural(size, 'episode')} a group, ${formatPercent(silent)} of the groups were silent; ${formatPercent(success)} of the episodes succeeded.`,
  };
}

export const groups: Untitled<RunLesson> = {
  id: 'groups',
  minutes: 5,
  text: [
    'The agent is paid 1 for reaching the goal and 0 otherwise. Was a 1 good? On an easy task it is what anybody would get. GRPO’s answer is to play each task several times and to compare the episodes of that group with one another: the advantage of an episode is its reward minus the group’s mean, divided by how far the rewards of the group lie apart.',
    'Episodes better than their group’s mean are made more likely, the others less. No second network has to guess how good a situation is.',
    'There is a price. If all episodes of a group are paid alike, because all failed or all succeeded, every advantage is 0 and the group teaches nothing. Such a group is called silent. With two episodes a group and a success now and then, that is the usual case.',
  ],
  experiment: lessonExperiment('groups', {
    updates: 30,
    batch: { groups: 16, groupSize: 2 },
    arms: [maskedArm(ARM, 'GRPO')],
  }),
  charts: ['zeroVarianceGroups', 'successRate'],
  controls: [{ path: 'batch.groupSize' }],
  question: {
    ask: 'Run it with 2 episodes a group. Then find a group size with which fewer than a fifth of the groups are silent, and run that to its end.',
    choices: [],
    judge: onceWhole(judge),
  },
  after: [
    'A group of n episodes that each succeed with probability p is silent with probability pⁿ + (1 − p)ⁿ. Put in your own p and n: what you measured lies higher, because tasks are not equally hard, and on the hardest and the easiest p is near 0 or 1.',
    'Larger groups cost more episodes for each task. Instead one can throw silent groups away and draw others, choose tasks that are neither too hard nor too easy, or pay for progress, so that failures differ.',
  ],
  further: { fragment: '#preset=failure-no-variance', words: 'A world in which every group is silent, and what helps' },
};
