/** What arms can be compared by: a measurement, and what of its curve becomes one number a seed. */
import { SUMMARIES, type Summary } from '../../experiment/comparison';
import type { MetricName } from '../../rl/metrics';
import { formatCount, formatMeasured, formatPercent, formatSigned } from '../format';

export interface Measure {
  readonly metric: MetricName;
  readonly label: string;
  readonly lowerIsBetter: boolean;
  readonly isShare: boolean;
}

export const MEASURES: readonly Measure[] = [
  { metric: 'successRate', label: 'success rate', lowerIsBetter: false, isShare: true },
  { metric: 'observationCrossEntropy', label: 'observation cross-entropy', lowerIsBetter: true, isShare: false },
  { metric: 'return', label: 'return', lowerIsBetter: false, isShare: false },
];

/** Levels are shares: nothing else reaches 50%. */
export function summariesOf({ isShare }: Measure): Summary[] {
  return (Object.keys(SUMMARIES) as Summary[]).filter((summary) => isShare || SUMMARIES[summary].level === null);
}

/** A measure with a summary of it: how its numbers are judged and written. */
export interface Scale {
  readonly lowerIsBetter: boolean;
  readonly unit: string;
  readonly format: (value: number) => string;
  readonly formatDifference: (value: number) => string;
}

const plus = (value: number, text: string): string => (value > 0 ? `+${text}` : text);

export function scaleOf(measure: Measure, summary: Summary): Scale {
  if (SUMMARIES[summary].level !== null) {
    const format = (value: number) => (value === Number.POSITIVE_INFINITY ? 'never' : formatUpdates(value));
    return {
      lowerIsBetter: true,
      unit: 'updates',
      format,
      formatDifference: (value) => plus(Math.round(value), format(value)),
    };
  }
  if (!measure.isShare) {
    const formatDifference = (value: number) => plus(value, formatMeasured(value));
    return { lowerIsBetter: measure.lowerIsBetter, unit: '', format: formatMeasured, formatDifference };
  }
  return {
    lowerIsBetter: measure.lowerIsBetter,
    unit: 'points',
    format: formatPercent,
    formatDifference: (value) => formatSigned(100 * value, 1),
  };
}

const formatUpdates = (value: number): string => `${Math.round(value) < 0 ? '−' : ''}${formatCount(Math.abs(value))}`;
