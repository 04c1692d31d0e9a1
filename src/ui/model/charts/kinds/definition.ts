/** Definition of a chart: what it draws, its words, and where it is drawn at all. */
import type { PartId } from '../../../../environments/mixture/settings';
import { cutTo } from '../../../../experiment/conclude/statistics';
import { type Experiment, getArmSetting } from '../../../../experiment/experiment';
import type { RewardPart } from '../../../../hyperparameters/rewards';
import type { MetricName } from '../../../../rl/measure/metrics';
import { formatMeasured, formatPercent, formatSmallPercent } from '../../../kit/format';

export interface ChartDefinition {
  readonly metric: MetricName;
  readonly title: string;
  readonly unit: string;
  /** One sentence under the chart. */
  readonly help: string;
  /** `share`: 0 to 100%; `positive`: from 0; `free`: wherever the values are; `crossEntropy`: the person chooses. */
  readonly axis: 'share' | 'positive' | 'free' | 'crossEntropy';
  readonly format: (value: number) => string;
  /** True for a metric that is not measured at every update: its points are joined. */
  readonly sparse: boolean;
  /**
   * Setting without which the chart is not drawn: some arm, or the experiment, must have it at something other than 0
   * or none. A part of the reward, say.
   */
  readonly only:
    | `reward.${RewardPart}`
    | 'verifierNoise'
    | 'resampling'
    | 'hindsight'
    | 'replay'
    | 'turnCap'
    | 'inverseDynamics'
    | 'distillation'
    | 'informationEpisodes'
    | null;
  /** Metric below which the curves cannot get: drawn thin for each arm. */
  readonly floor: MetricName | null;
  /** World of a mixture that the chart is about, drawn only where the mixture has it; null: the mixture as a whole. */
  readonly world: PartId | null;
  readonly reference: 'randomSuccess' | 'uniformWords' | 'uniformActions' | null;
  /** Ids of the arms that the chart is about; null: all. Other arms, and other runs, may mean something else by the metric. */
  readonly arms: readonly string[] | null;
}

/** Definition of a chart that is drawn at every update, unless `more` says otherwise. */
export const chart = (
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
  arms: null,
  ...more,
});

/** Part of a definition whose metric is not measured at every update. */
export const SPARSE = { sparse: true } as const;
/** Part of a definition whose shares are small. */
export const ONE_DECIMAL = { format: formatSmallPercent } as const;

/** True if there is something to draw: an arm has, or had, what the chart is about. */
export function isOf({ arms, timeline, informationEpisodes }: Experiment, { only }: ChartDefinition): boolean {
  if (only === 'informationEpisodes') return informationEpisodes !== 0;
  if (only === null || timeline.some(({ setting }) => setting === only)) return true;
  return arms.some((arm) => ![0, 'none'].includes(getArmSetting(arm, only) as number | string));
}

export const isOfArm = ({ arms }: Pick<ChartDefinition, 'arms'>, id: string): boolean => arms?.includes(id) ?? true;

/** Updates that a point is the mean of: what is measured every so many updates has few points already. */
export const windowOf = ({ sparse }: Pick<ChartDefinition, 'sparse'>, smoothing: number): number =>
  sparse ? 1 : smoothing;

/** An interval in words, within what the metric can be: Student's t knows nothing of 0 and 100%. */
export function formatInterval(
  { axis, format }: Pick<ChartDefinition, 'axis' | 'format'>,
  interval: readonly [number, number],
): string {
  const least = axis === 'free' ? Number.NEGATIVE_INFINITY : 0;
  const most = axis === 'share' ? 1 : Number.POSITIVE_INFINITY;
  return `(${cutTo(interval, [least, most]).map(format).join(' to ')})`;
}
