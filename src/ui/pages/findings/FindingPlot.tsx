/** Two conditions as they were recorded: mean over seeds in twentieths of a run with its 95% interval, and a rerun over them. */
import { useMemo } from 'react';
import { MEASURES } from '../../../experiment/findings/claim';
import type { Compared, Condition } from '../../../experiment/findings/finding';
import { decodeLink } from '../../../experiment/link';
import { summarise } from '../../../experiment/statistics';
import { formatPercent } from '../../kit/format';
import { ticksBetween } from '../../kit/plot/axes';
import { PlotPlace } from '../../kit/plot/PlotPlace';
import type { PlotPoint, PlotProps, Series } from '../../kit/plot/plot';
import type { Card } from './data';
import { type LiveRerun, PARTS } from './live';

const COLOURS = ['var(--arm-1)', 'var(--arm-2)'] as const;
const NAMES = {
  successRate: 'Success while training',
  zeroVarianceGroups: 'Groups whose rewards are all equal',
  observationCrossEntropy: 'Cross-entropy on observations, nats',
  entropy: 'Entropy of actions, nats',
} as const;
const SHARES: readonly string[] = ['successRate', 'zeroVarianceGroups'];

interface Props {
  readonly card: Card;
  readonly compared: Compared;
  readonly live: LiveRerun | null;
}

export function FindingPlot({ card, compared, live }: Props) {
  const { claim, finding } = card;
  const conditions = useMemo(
    () => [compared.first, compared.second].map((id) => finding.conditions[id] as Condition),
    [compared, finding],
  );
  const { drawn } = MEASURES[claim.measure];
  const plot = useMemo(() => plotOf(conditions, drawn, live), [conditions, drawn, live]);
  return (
    <>
      <p className="small soft">{NAMES[drawn]}</p>
      <PlotPlace className="finding-plot" plot={plot} />
      <p className="small finding-legend">
        {conditions.map(({ name }, i) => (
          <span key={name}>
            <Swatch colour={COLOURS[i] as string} /> {name}
          </span>
        ))}
        {live !== null && (
          <span>
            <Swatch colour="var(--ink)" dash={DASH} /> here
          </span>
        )}
      </p>
    </>
  );
}

const DASH = '6 3';

function Swatch({ colour, dash = '' }: { colour: string; dash?: string }) {
  return (
    <svg className="finding-swatch" viewBox="0 0 24 8" aria-hidden="true">
      <line x1="0" x2="24" y1="4" y2="4" stroke={colour} strokeDasharray={dash} strokeWidth="2" />
    </svg>
  );
}

/** Conditions of unlike lengths play as many episodes in batches of other sizes: they meet over shares of the run. */
const areUnlike = (lengths: readonly number[]): boolean => new Set(lengths).size > 1;

function plotOf(conditions: readonly Condition[], drawn: keyof typeof NAMES, live: LiveRerun | null): PlotProps {
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
