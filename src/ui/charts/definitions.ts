/** Which curves there are, what they are called, and what a person should know to read them. */
import type { MetricName } from '../../rl/metrics';
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
  reference: null,
  ...more,
});

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
    'How surprised the policy is by what the world answers; measured in every arm, trained only where the table says so.',
    { reference: 'uniformWords' },
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
    'The policy-gradient part alone.',
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
