/** Two conditions as they were recorded, and a rerun over them, as the description of a chart. */
import { MEASURES, type MeasureId } from '../../../experiment/findings/claim';
import type { Compared, Condition, Finding } from '../../../experiment/findings/finding';
import { decodeLink } from '../../../experiment/link';
import { summarise } from '../../../experiment/statistics';
import { formatPercent } from '../../kit/format';
import { ticksBetween } from '../../kit/plot/axes';
import type { PlotPoint, PlotProps, Series } from '../../kit/plot/plot';
import { type LiveRerun, PARTS } from './live';

export const COLOURS = ['var(--arm-1)', 'var(--arm-2)'] as const;
/** Dashes of a rerun's lines. */
export const DASH = '6 3';
const NAMES = {
  successRate: 'Success while training',
  zeroVarianceGroups: 'Groups whose rewards are all equal',
  observationCrossEntropy: 'Cross-entropy on observations, nats',
  entropy: 'Entropy of actions, nats',
} as const;
const SHARES: readonly string[] = ['successRate', 'zeroVarianceGroups'];

export const comparedConditions = ({ first, second }: Compared, { conditions }: Finding): Condition[] =>
  [first, second].map((id) => conditions[id] as Condition);

/** Conditions of unlike lengths play as many episodes in batches of other sizes: they meet over shares of the run. */
const areUnlike = (lengths: readonly number[]): boolean => new Set(lengths).size > 1;

export function figureOf(conditions: readonly Condition[], measure: MeasureId, live: LiveRerun | null): PlotProps {
  const { drawn } = MEASURES[measure];
  const lengths = conditions.map(({ link }) => decodeLink(link).updates);
  const shares = areUnlike(lengths);
  const end = shares ? 1 : (lengths[0] ?? 1);
  const recorded = conditions.map(
    (condition, i): Series => ({
      id: `recorded-${i}`,
      name: condition.name,
      kind: 'mean',
      colour: COLOURS[i] as string,
      points: pointsOf(condition, end),
    }),
  );
  const here = (live?.curves ?? []).map(
    (points, i): Series => ({
      id: `here-${i}`,
      name: `${conditions[i]?.name}, here`,
      kind: 'mean',
      colour: COLOURS[i] as string,
      dash: DASH,
      points,
    }),
  );
  const series = [...recorded, ...here];
  const isShare = SHARES.includes(drawn);
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ value, band }) => band?.[1] ?? value ?? 0)));
  const format = (value: number): string => (isShare ? formatPercent(value) : value.toFixed(2));
  return {
    title: NAMES[drawn],
    description: 'Means over seeds with 95% intervals. The numbers that are compared stand in the table below.',
    across: {
      domain: [0, end],
      ticks: ticksBetween(0, end, 4),
      write: shares ? formatPercent : String,
      words: (at) => (shares ? `${formatPercent(at)} of the run` : `update ${Math.round(at)}`),
      name: shares ? 'share of the run; batches differ' : 'updates',
    },
    up: isShare
      ? { domain: [0, 1], ticks: [0, 0.5, 1], write: formatPercent }
      : { domain: [0, most], ticks: ticksBetween(0, most, 4), write: String },
    series,
    format: (value, band) =>
      band == null ? format(value) : `${format(value)} (${format(band[0])} to ${format(band[1])})`,
  };
}

function pointsOf({ curves }: Condition, end: number): PlotPoint[] {
  return Array.from({ length: PARTS }, (_, part) => {
    const { mean, interval } = summarise(curves.map((curve) => curve[part] ?? null));
    return { at: ((part + 0.5) * end) / PARTS, value: mean, band: interval };
  });
}
