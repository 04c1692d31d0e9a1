/** Which curves there are, what they are called, and what a person should know to read them. */
import { WORLD_IDS, WORLDS, type WorldId } from '../../environments/mixture/settings';
import { type Experiment, getArmSetting } from '../../experiment/experiment';
import { REWARD_PART_IDS, REWARD_PARTS, type RewardPart } from '../../experiment/settings/rewards';
import { type MetricName, worldSuccess } from '../../rl/metrics';
import { formatMeasured, formatPercent } from '../format';

export interface ChartDefinition {
  readonly metric: MetricName;
  readonly title: string;
  readonly unit: string;
  /** One sentence under the chart. */
  readonly help: string;
  /** `share`: 0 to 100%; `positive`: from 0; `free`: wherever the values are; `crossEntropy`: the person chooses. */
  readonly axis: 'share' | 'positive' | 'free' | 'crossEntropy';
  readonly format: (value: number) => string;
  /** Not measured at every update: its points are joined. */
  readonly sparse: boolean;
  /** Drawn only where some arm has this setting at something other than 0: a part of the reward that is paid for, say. */
  readonly only: `reward.${RewardPart}` | 'verifierNoise' | 'resampling' | 'hindsight' | null;
  /** Below which the curves cannot get: drawn thin for each arm. */
  readonly floor: MetricName | null;
  /** Of one world of a mixture: drawn where it is in it, and its reference is that world's. */
  readonly world: WorldId | null;
  readonly reference: 'randomSuccess' | 'uniformWords' | 'uniformActions' | null;
}

const chart = (
  metric: MetricName,
  title: string,
  unit: string,
  axis: ChartDefinition['axis'],
  help: string,
  more: Partial<ChartDefinition> = {},
): ChartDefinition => ({
  metric,
  title,
  unit,
  axis,
  help,
  format: axis === 'share' ? formatPercent : formatMeasured,
  sparse: false,
  only: null,
  floor: null,
  world: null,
  reference: null,
  ...more,
});

/** Whether there is something to draw: an arm has, or had, what the chart is about. */
export function isOf({ arms, timeline }: Experiment, { only }: ChartDefinition): boolean {
  if (only === null || timeline.some(({ setting }) => setting === only)) return true;
  return arms.some((arm) => getArmSetting(arm, only) !== 0);
}

/** Updates that a point is the mean of: what is measured every so many updates has few points already. */
export const windowOf = ({ sparse }: Pick<ChartDefinition, 'sparse'>, smoothing: number): number =>
  sparse ? 1 : smoothing;

/** An interval in words, within what the metric can be: Student's t knows nothing of 0 and 100%. */
export function formatInterval(
  { axis, format }: Pick<ChartDefinition, 'axis' | 'format'>,
  [low, high]: readonly [number, number],
): string {
  const least = axis === 'free' ? Number.NEGATIVE_INFINITY : 0;
  const most = axis === 'share' ? 1 : Number.POSITIVE_INFINITY;
  return `(${format(Math.max(least, low))} to ${format(Math.min(most, high))})`;
}

export const decisiveCharts: readonly ChartDefinition[] = [
  chart('successRate', 'Success rate', 'of episodes', 'share', 'Share of episodes that reached their goal.', {
    reference: 'randomSuccess',
  }),
  chart(
    'observationCrossEntropy',
    'Observation cross-entropy',
    'nats per token',
    'crossEntropy',
    'How surprised the policy is by what the world answers; trained only where the table says so.',
    { reference: 'uniformWords', floor: 'observationFloor' },
  ),
];

const SPARSE = { sparse: true } as const;

/** Drawn where the environment is a mixture. */
export const worldCharts: readonly ChartDefinition[] = WORLD_IDS.map((world) =>
  chart(
    worldSuccess(world),
    `Success: ${WORLDS[world].title.toLowerCase()}`,
    'of its episodes',
    'share',
    WORLDS[world].summary,
    // An update whose batch has no task of this world has no such number.
    { sparse: true, world, reference: 'randomSuccess' },
  ),
);

const examined = (metric: MetricName, title: string, axis: ChartDefinition['axis'], help: string) =>
  chart(metric, title, axis === 'share' ? 'of episodes' : 'nats per token', axis, help, SPARSE);

/** Drawn where policies are examined while they train. */
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
  examined(
    'heldOutCrossEntropy',
    'Held-out cross-entropy',
    'positive',
    'Surprise at observations in fixed episodes that the expert and a random policy played.',
  ),
];

/** Drawn where there is a tool to take away besides. */
export const toolOffCharts: readonly ChartDefinition[] = [
  examined('toolOffSuccess', 'Success without the tool', 'share', 'Sampled episodes in which the tool never answers.'),
  examined(
    'toolOffGreedySuccess',
    'Success without the tool, greedy',
    'share',
    'The same, with the likeliest action each time.',
  ),
];

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
    'How far the policy has moved from where it began.',
  ),
  chart(
    'clipFraction',
    'Clip fraction',
    'of action tokens',
    'positive',
    'Share of action tokens whose gradient the clip range stopped.',
    { format: (value) => `${(100 * value).toFixed(1)}%` },
  ),
  chart(
    'zeroVarianceGroups',
    'Silent groups',
    'of groups',
    'share',
    'Groups whose rewards are all equal: the policy gradient learns nothing from them.',
  ),
  chart(
    'gradNorm',
    'Gradient norm',
    'before clipping',
    'positive',
    'Length of the whole gradient at the first inner step.',
  ),
  chart(
    'policyGradNorm',
    'Gradient norm, policy terms',
    'before clipping',
    'positive',
    'The part of all terms but the world model’s: policy gradient, critic, KL and entropy.',
    {
      sparse: true,
    },
  ),
  chart(
    'worldModelGradNorm',
    'Gradient norm, world-model term',
    'before clipping',
    'positive',
    'The cross-entropy part alone.',
    { sparse: true },
  ),
];

const REWARD_CHARTS: Readonly<Record<RewardPart, MetricName>> = {
  outcome: 'rewardOutcome',
  format: 'rewardFormat',
  efficiency: 'rewardEfficiency',
  length: 'rewardLength',
  overlong: 'rewardOverlong',
  shaping: 'rewardShaping',
  subgoals: 'rewardSubgoals',
  repetition: 'rewardRepetition',
};

const ONE_DECIMAL = { format: (value: number) => `${(100 * value).toFixed(1)}%` } as const;

/** What one looks at to find out why: drawn only when asked for. */
export const detailCharts: readonly ChartDefinition[] = [
  chart('allFailedGroups', 'All-failed groups', 'of groups', 'share', 'Groups in which every episode failed.'),
  chart('mixedGroups', 'Mixed groups', 'of groups', 'share', 'Groups in which some episodes failed and some did not.'),
  chart(
    'allSolvedGroups',
    'All-solved groups',
    'of groups',
    'share',
    'Groups in which every episode reached its goal.',
  ),
  chart(
    'keptGroups',
    'Kept groups',
    'of groups',
    'share',
    'Groups the policy gradient uses; a filter drops the others.',
  ),
  chart(
    'clipFractionLow',
    'Clipped below',
    'of action tokens',
    'positive',
    'Stopped at the lower bound of the ratio.',
    ONE_DECIMAL,
  ),
  chart(
    'clipFractionHigh',
    'Clipped above',
    'of action tokens',
    'positive',
    'Stopped at the upper bound of the ratio.',
    ONE_DECIMAL,
  ),
  chart(
    'clipFractionDual',
    'Capped by the dual clip',
    'of action tokens',
    'positive',
    'Losses of bad actions that the cap holds.',
    ONE_DECIMAL,
  ),
  chart(
    'ratioLow',
    'Ratio, 5% quantile',
    'of action tokens',
    'positive',
    'One in twenty action tokens has a smaller ratio at the last inner step.',
    SPARSE,
  ),
  chart(
    'ratioHigh',
    'Ratio, 95% quantile',
    'of action tokens',
    'positive',
    'One in twenty action tokens has a larger ratio at the last inner step.',
    SPARSE,
  ),
  chart(
    'klOld',
    'KL within an update',
    'nats per action token',
    'positive',
    'How far the inner steps move from the policy that acted.',
  ),
  chart(
    'klReverse',
    'KL from the reference',
    'nats per action token',
    'positive',
    'The same distance the other way: reference to policy.',
    SPARSE,
  ),
  chart(
    'mismatch',
    'Decoding mismatch',
    'nats per action token',
    'positive',
    'How much the log-probs of decoding and of training differ.',
  ),
  chart(
    'gradientCosine',
    'Cosine of the two gradients',
    'policy and world model',
    'free',
    'Above 0 the world-model loss and all other terms pull the same way, below 0 against each other.',
    SPARSE,
  ),
  chart(
    'warningCrossEntropy',
    'Warning cross-entropy',
    'nats per token',
    'positive',
    'How surprised the policy is by complaints about its actions.',
  ),
  chart(
    'valueLoss',
    'Value loss',
    'weighted',
    'positive',
    'The critic’s part of the loss; empty for arms without a critic.',
  ),
  chart(
    'explainedVariance',
    'Explained variance',
    'of returns',
    'free',
    '1 is a critic that knows every return, 0 one that knows their mean.',
    SPARSE,
  ),
  chart(
    'observationFloor',
    'Entropy of observations',
    'nats per token',
    'positive',
    'What nobody could foresee of them: the cross-entropy’s floor, 0 in a world without chance whose state the tokens tell.',
  ),
  chart(
    'tasksConsumed',
    'Tasks consumed',
    'tasks an update',
    'positive',
    'Tasks played for an update, those given up for want of a difference included.',
    { only: 'resampling' },
  ),
  chart('trajectoryTokens', 'Episode length', 'tokens', 'positive', 'Mean tokens of an episode, prompt included.'),
  chart('turns', 'Turns', 'per episode', 'positive', 'Mean turns of an episode.'),
  chart(
    'warningShare',
    'Warned turns',
    'of turns',
    'share',
    'Turns whose action the environment complained of: malformed, or a tool that does not exist.',
  ),
  chart(
    'repeatedActions',
    'Repeated actions',
    'of turns',
    'share',
    'Turns that do again what was already done after the same observation: high in an agent that goes in circles.',
  ),
  ...REWARD_PART_IDS.map((part) =>
    chart(
      REWARD_CHARTS[part],
      `Reward: ${REWARD_PARTS[part].title.toLowerCase()}`,
      'before its weight',
      'free',
      `${REWARD_PARTS[part].help} Empty for arms that do not pay for it.`,
      { only: `reward.${part}` },
    ),
  ),
  chart(
    'verifierFlips',
    'Verdicts turned round',
    'of episodes',
    'share',
    'Episodes the noisy verifier misjudged; empty for arms without noise.',
    { only: 'verifierNoise' },
  ),
  chart(
    'relabelled',
    'Relabelled by hindsight',
    'of episodes',
    'share',
    'Failed episodes learned from as episodes of the task they did solve; empty for arms without hindsight.',
    { only: 'hindsight' },
  ),
];

export const allCharts: readonly ChartDefinition[] = [
  ...decisiveCharts,
  ...otherCharts,
  ...detailCharts,
  ...examinationCharts,
  ...toolOffCharts,
];

export function chartOf(metric: MetricName): ChartDefinition {
  const found = allCharts.find((definition) => definition.metric === metric);
  if (found === undefined) throw new Error(`No chart draws ${metric}.`);
  return found;
}
