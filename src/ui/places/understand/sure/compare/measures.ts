/** Measures by which arms are compared: a metric, and how its curve becomes one number a seed. */
import { SUMMARIES, type Summary } from '../../../../../experiment/conclude/comparison';
import type { MetricName } from '../../../../../rl/measure/metrics';
import { formatCount, formatMeasured, formatPercent, formatSigned } from '../../../../kit/format';

export interface Measure {
  readonly metric: MetricName;
  readonly label: string;
  readonly lowerIsBetter: boolean;
  readonly isShare: boolean;
  readonly range: readonly [least: number, most: number];
}

const ANY = Number.POSITIVE_INFINITY;

export const MEASURES: readonly Measure[] = [
  { metric: 'successRate', label: 'success rate', lowerIsBetter: false, isShare: true, range: [0, 1] },
  {
    metric: 'observationCrossEntropy',
    label: 'prediction error',
    lowerIsBetter: true,
    isShare: false,
    range: [0, ANY],
  },
  { metric: 'return', label: 'return', lowerIsBetter: false, isShare: false, range: [-ANY, ANY] },
];

/** Levels are shares: nothing else reaches 50%. */
export function summariesOf({ isShare }: Measure): Summary[] {
  return (Object.keys(SUMMARIES) as Summary[]).filter((summary) => isShare || SUMMARIES[summary].level === null);
}

/** A measure with a summary of it: how its numbers are judged and written. */
export interface Scale {
  readonly lowerIsBetter: boolean;
  readonly unit: string;
  /** Range of the numbers; an interval of few seeds reaches beyond. */
  readonly range: readonly [least: number, most: number];
  readonly format: (value: number) => string;
  readonly formatDifference: (value: number) => string;
}

const plus = (value: number, text: string): string => (value > 0 ? `+${text}` : text);

export function scaleOf({ lowerIsBetter, isShare, range }: Measure, summary: Summary): Scale {
  if (SUMMARIES[summary].level !== null) {
    const format = (value: number) => (value === Number.POSITIVE_INFINITY ? 'never' : formatUpdates(value));
    return {
      lowerIsBetter: true,
      unit: 'updates',
      range: [0, ANY],
      format,
      formatDifference: (value) => plus(Math.round(value), format(value)),
    };
  }
  if (!isShare) {
    const formatDifference = (value: number) => plus(value, formatMeasured(value));
    return { lowerIsBetter, unit: '', range, format: formatMeasured, formatDifference };
  }
  return {
    lowerIsBetter,
    unit: 'points',
    range,
    format: formatPercent,
    formatDifference: (value) => formatSigned(100 * value, 1),
  };
}

const formatUpdates = (value: number): string => `${Math.round(value) < 0 ? '−' : ''}${formatCount(Math.abs(value))}`;
