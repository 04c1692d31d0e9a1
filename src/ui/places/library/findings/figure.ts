/**
 * Two recorded conditions as descriptions of charts: curves with a rerun over them, and each seed's number where the
 * curve has no such number.
 */

import { meanOf, summarise } from '../../../../experiment/conclude/statistics';
import { MEASURES, type MeasureId } from '../../../../experiment/findings/claim';
import type { ClaimCondition, ComparedConditions, Finding } from '../../../../experiment/findings/finding';
import { decodeLink } from '../../../../experiment/link/link';
import { capital, formatPercent } from '../../../kit/format';
import { linear, ticksBetween } from '../../../kit/plot/axes';
import type { PlotPoint, PlotProps, Series } from '../../../kit/plot/plot';
import { type LiveRerun, PARTS } from './live';

export const COLOURS = ['var(--arm-1)', 'var(--arm-2)'] as const;
/** Ids of the lines of both conditions. */
export const RECORDED = ['recorded-0', 'recorded-1'] as const;
/** Dashes of a rerun's lines. */
export const DASH = '6 3';
const NAMES = {
  successRate: 'Success while training',
  zeroVarianceGroups: 'Groups whose rewards are all equal',
  observationCrossEntropy: 'Cross-entropy on observations, nats',
  entropy: 'Entropy of actions, nats',
} as const;
/** Curves that are no shares. */
const NATS: readonly string[] = ['observationCrossEntropy', 'entropy', 'ordinaryCrossEntropy'];

export const comparedConditions = ({ first, second }: ComparedConditions, { conditions }: Finding): ClaimCondition[] =>
  [first, second].map((id) => conditions[id] as ClaimCondition);

/**
 * True for conditions of several lengths. They play equally many episodes in batches of several sizes: their curves are drawn over
 * shares of the run.
 */
const areUnlike = (lengths: readonly number[]): boolean => new Set(lengths).size > 1;

/** Charts of a comparison; the first is of what is compared. */
export function figuresOf(
  conditions: readonly ClaimCondition[],
  live: LiveRerun | null,
): readonly [PlotProps, ...PlotProps[]] {
  // The second is what is asked about; the first may be its control, by a measure of its own.
  const { measure } = conditions.at(-1) as ClaimCondition;
  const { metric, drawn } = MEASURES[measure];
  const curves = curvesOf(conditions, measure, live);
  return metric === drawn ? [curves] : [seedsOf(conditions, measure), curves];
}

/** Letters of a condition's name that its place has room for; longer ones are told by their order. */
const ROOM = 22;
const NO_SHARES: readonly MeasureId[] = [
  'crossEntropy',
  'crossEntropyAtFirst',
  'ordinary',
  'ordinaryAtFirst',
  'entropy',
  'rankAtFirst',
  'rankAt90',
];

/** Numbers of the seeds, each seed's two joined. */
function seedsOf(conditions: readonly ClaimCondition[], measure: MeasureId): PlotProps {
  const format = NO_SHARES.includes(measure) ? (value: number): string => value.toFixed(2) : formatPercent;
  const name = (at: number): string => conditions[at]?.name ?? '';
  const areShort = conditions.every((condition) => condition.name.length <= ROOM);
  const joined = (id: string, of: (values: readonly number[]) => number | null, more: Partial<Series>): Series => ({
    id,
    name: id,
    kind: 'behind',
    colour: 'var(--control)',
    hasDots: true,
    points: conditions.map(({ values }, at) => ({ at, value: of(values) })),
    ...more,
  });
  const seeds = conditions[0]?.seeds ?? [];
  return {
    title: capital(MEASURES[measure].words),
    description:
      'Each seed’s number in both conditions, joined, and their means. The numbers stand in the tables below.',
    across: {
      domain: [-0.5, 1.5],
      ticks: [0, 1],
      write: (at) => (areShort ? name(at) : at === 0 ? 'first' : 'second'),
      words: name,
      name: `${seeds.length} seeds, dotted, and their mean`,
    },
    up: { ...linear(0, Math.max(...conditions.flatMap(({ values }) => values))), write: format },
    series: [
      ...seeds.map((seed, index) => joined(`Seed ${seed}`, (values) => values[index] ?? null, {})),
      joined('Mean', meanOf, { kind: 'mean', colour: 'var(--ink)' }),
    ],
    format: (value) => format(value),
  };
}

function curvesOf(conditions: readonly ClaimCondition[], measure: MeasureId, live: LiveRerun | null): PlotProps {
  const { drawn } = MEASURES[measure];
  const lengths = conditions.map(({ link }) => decodeLink(link).updates);
  const shares = areUnlike(lengths);
  const end = shares ? 1 : (lengths[0] ?? 1);
  const recorded = conditions.map(
    (condition, i): Series => ({
      id: RECORDED[i] as string,
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
  const isShare = !NATS.includes(drawn);
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ value, band }) => band?.[1] ?? value ?? 0)));
  const format = (value: number): string => (isShare ? formatPercent(value) : value.toFixed(2));
  return {
    title: drawn in NAMES ? NAMES[drawn as keyof typeof NAMES] : capital(MEASURES[measure].words),
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

function pointsOf({ curves }: ClaimCondition, end: number): PlotPoint[] {
  const points = Array.from({ length: PARTS }, (_, part): PlotPoint => {
    const { mean, interval } = summarise(curves.map((curve) => curve[part] ?? null));
    return { at: ((part + 0.5) * end) / PARTS, value: mean, band: interval };
  });
  // Most parts of a metric that is examined at some updates only have no number.
  return points.filter(({ value }) => value !== null);
}
