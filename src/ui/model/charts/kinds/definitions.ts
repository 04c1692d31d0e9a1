/** Definitions of the charts: their curves, names, and what a person should know to read them. */
import { definitionOf, PART_IDS } from '../../../../environments/mixture/settings';
import { type MetricName, worldSuccess } from '../../../../rl/measure/metrics';
import { decisiveCharts } from './decisiveDefinitions';
import { type ChartDefinition, chart, ONE_DECIMAL, SPARSE } from './definition';
import { detailCharts } from './detailDefinitions';

/** Charts of a mixture's worlds. */
export const worldCharts: readonly ChartDefinition[] = PART_IDS.map((world) =>
  chart(
    worldSuccess(world),
    `Success: ${definitionOf(world).title.toLowerCase()}`,
    'of its episodes',
    'share',
    definitionOf(world).summary,
    // An update whose batch has no task of this world has no such number.
    { sparse: true, world, reference: 'randomSuccess' },
  ),
);

const examined = (metric: MetricName, title: string, axis: ChartDefinition['axis'], help: string) =>
  chart(metric, title, axis === 'share' ? 'of episodes' : 'nats per token', axis, help, SPARSE);

/** Charts of policies that are examined while they train. */
export const examinationCharts: readonly ChartDefinition[] = [
  examined(
    'heldOutSuccess',
    'Held-out success',
    'share',
    'Sampled episodes of held-out tasks, the same tasks each time.',
  ),
  examined(
    'heldOutGreedySuccess',
    'Held-out success, greedy',
    'share',
    'The likeliest action each time, one episode a task.',
  ),
  examined('heldOutPassAt8', 'Held-out pass@8', 'share', 'Chance that one of eight episodes of a task succeeds.'),
  examined('heldOutPassHat8', 'Held-out pass^8', 'share', 'Chance that all of eight episodes of a task succeed.'),
  examined(
    'heldOutCrossEntropy',
    'Held-out prediction error',
    'positive',
    'Cross-entropy of the answers in fixed episodes, played by the expert and by a random policy.',
  ),
];

/** Charts of examinations without the tool, where there is one. */
export const toolOffCharts: readonly ChartDefinition[] = [
  examined('toolOffSuccess', 'Success without the tool', 'share', 'Sampled episodes in which the tool never answers.'),
  examined(
    'toolOffGreedySuccess',
    'Success without the tool, greedy',
    'share',
    'The same, with the likeliest action each time.',
  ),
];

/** Charts of policies that write texts. */
export const textCharts: readonly ChartDefinition[] = [
  chart(
    'repeatedWords',
    'Repeated words',
    'of a sentence',
    'share',
    'Words of a sentence that it had said before: high in a salad of words.',
  ),
  chart(
    'saidBack',
    'Said back',
    'of sentences',
    'share',
    'Sentences that begin with the first word of the listener’s own.',
  ),
];

/** Charts of policies that write texts and are examined. */
export const textExaminationCharts: readonly ChartDefinition[] = [
  examined(
    'ordinaryCrossEntropy',
    'Cross-entropy of ordinary stories',
    'positive',
    'Surprise at stories that nobody asks for: it rises where they are forgotten.',
  ),
  chart(
    'heldOutTakenUp',
    'Held-out things taken up',
    'of sentences',
    'share',
    'Sampled sentences that hold what was asked about, of things that training never asks about.',
    SPARSE,
  ),
  chart(
    'otherListenerTakenUp',
    'Another listener’s wishes taken up',
    'of sentences',
    'share',
    'The same where somebody else asks in other words, about things of training.',
    SPARSE,
  ),
];

const ofTool = (metric: MetricName, title: string, help: string): ChartDefinition =>
  examined(metric, title, 'share', help);

/** Charts of examinations of the tool. */
export const toolCharts: readonly ChartDefinition[] = [
  ofTool('practisedToolUp', 'Practised, tool works', 'Sampled episodes of tasks that training draws from.'),
  ofTool('practisedToolDown', 'Practised, tool taken away', 'The same, while the tool never answers.'),
  ofTool('newToolUp', 'New, tool works', 'Sampled episodes of held-out tasks.'),
  ofTool('newToolDown', 'New, tool taken away', 'The same, while the tool never answers.'),
  ofTool('practisedLieFollowed', 'Practised, a lie repeated', 'Episodes that end with what a lying tool said.'),
  ofTool('practisedLieResisted', 'Practised, right despite a lie', 'Episodes that end rightly though the tool lied.'),
  ofTool('newLieFollowed', 'New, a lie repeated', 'Episodes of held-out tasks that end with what a lying tool said.'),
  ofTool(
    'newLieResisted',
    'New, right despite a lie',
    'Episodes of held-out tasks that end rightly though the tool lied.',
  ),
  ofTool('practisedToolAsked', 'Practised, tool asked', 'Episodes that ask the tool, while it works.'),
  ofTool('newToolAsked', 'New, tool asked', 'Episodes of held-out tasks that ask the tool, while it works.'),
];

/** Charts of examinations where the environment sets no tasks aside, or not of all its worlds: they are trained on too. */
const examinedCharts: readonly ChartDefinition[] = examinationCharts.map((definition) => ({
  ...definition,
  title: definition.title.replace('Held-out', 'Examined'),
  help: `${definition.help.replace('held-out tasks', 'tasks')} Nothing here is held out from training.`,
}));

/** The chart, named for runs with held-out tasks or for runs without. */
export function asExamined(definition: ChartDefinition, hasHeldOut: boolean): ChartDefinition {
  return (!hasHeldOut && examinedCharts.find(({ metric }) => metric === definition.metric)) || definition;
}

export const otherCharts: readonly ChartDefinition[] = [
  chart('return', 'Return', 'reward per episode', 'free', 'Mean reward of an episode.'),
  chart('entropy', 'Entropy', 'nats per action token', 'positive', 'How undecided the policy is among legal actions.', {
    reference: 'uniformActions',
  }),
  chart(
    'kl',
    'KL to the reference',
    'nats per action token',
    'positive',
    'How far the policy has moved from where it began. Measured at every update if an arm has a KL penalty, otherwise every few updates.',
    { sparse: true },
  ),
  chart(
    'clipFraction',
    'Clip fraction',
    'of action tokens',
    'positive',
    'Share of action tokens that clipping keeps from changing further in this update.',
    ONE_DECIMAL,
  ),
  chart(
    'zeroVarianceGroups',
    'Silent groups',
    'of groups',
    'share',
    'Groups whose episodes were all rewarded alike: there is nothing to learn from their reward.',
  ),
  chart(
    'gradNorm',
    'Gradient norm',
    'before clipping',
    'positive',
    'Length of the whole gradient, at the first optimiser step of an update.',
  ),
  chart(
    'policyGradNorm',
    'Gradient norm, policy terms',
    'before clipping',
    'positive',
    'Length of the gradient without the world-model loss: policy, critic, KL and entropy.',
    {
      sparse: true,
    },
  ),
  chart(
    'worldModelGradNorm',
    'Gradient norm, world-model term',
    'before clipping',
    'positive',
    'Length of the gradient of the world-model loss alone.',
    { sparse: true },
  ),
];

export const allCharts: readonly ChartDefinition[] = [
  ...decisiveCharts,
  ...otherCharts,
  ...detailCharts,
  ...examinationCharts,
  ...toolOffCharts,
  ...toolCharts,
  ...textCharts,
  ...textExaminationCharts,
];

export function chartOf(metric: MetricName): ChartDefinition {
  const found = allCharts.find((definition) => definition.metric === metric);
  if (found === undefined) throw new Error(`No chart draws ${metric}.`);
  return found;
}
