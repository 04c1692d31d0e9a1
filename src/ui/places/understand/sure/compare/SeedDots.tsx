/**
 * An arm's seeds as dots on an axis that all rows share, over the mean's interval; a seed that never reached the level
 * stands hollow at the right edge. The numbers are its name for those who do not see it.
 */
import type { Comparison } from '../../../../../experiment/conclude/comparison';
import { tellingInterval } from '../../../../../experiment/conclude/statistics';
import type { ArmColour } from '../../../../model/armColour';
import type { Scale } from './measures';

const WIDTH = 200;
const HEIGHT = 24;
const MARGIN = 8;
const MIDDLE = HEIGHT / 2;

export type Extent = readonly [low: number, high: number];

interface Props {
  readonly values: readonly number[];
  readonly row: Comparison;
  readonly extent: Extent;
  readonly colour: ArmColour;
  readonly scale: Scale;
}

export function SeedDots({ values, row, extent: [low, high], colour, scale }: Props) {
  const place = (value: number): number => {
    const share = high > low ? (Math.min(value, high) - low) / (high - low) : 0.5;
    return MARGIN + Math.max(0, share) * (WIDTH - 2 * MARGIN);
  };
  const { mean } = row.mean;
  const interval = tellingInterval(row.mean);
  const said = values.map((value) => (Number.isNaN(value) ? 'not measured' : scale.format(value))).join(', ');
  return (
    <svg
      className="seed-dots fit block"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Seed by seed: ${said}`}
    >
      <line className="seed-axis" x1={MARGIN} x2={WIDTH - MARGIN} y1={MIDDLE} y2={MIDDLE} />
      {interval !== null && (
        <line
          x1={place(interval[0])}
          x2={place(interval[1])}
          y1={MIDDLE}
          y2={MIDDLE}
          stroke={colour.stroke}
          strokeWidth="6"
          strokeOpacity="0.25"
        />
      )}
      {values.map((value, seed) =>
        Number.isNaN(value) ? null : (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a seed is its index
            key={seed}
            cx={place(value)}
            cy={MIDDLE}
            r="3.5"
            fill={Number.isFinite(value) ? colour.stroke : 'var(--paper)'}
            fillOpacity="0.75"
            stroke={Number.isFinite(value) ? 'var(--paper)' : colour.stroke}
          />
        ),
      )}
      {mean !== null && (
        <line x1={place(mean)} x2={place(mean)} y1="2" y2={HEIGHT - 2} stroke={colour.stroke} strokeWidth="2" />
      )}
    </svg>
  );
}
