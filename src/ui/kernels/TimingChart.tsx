/** The rate over sizes under its ceiling; sizes on a logarithmic axis. The table under it says the same in numbers. */
import { useRef } from 'react';
import type { KernelTiming } from '../../train/kernels/report';
import { giga } from '../speed/words';
import { useWidth } from '../useWidth';
import { ceilingOf, rateOf, shortCount, unitOf } from './words';
import './timingChart.css';

const HEIGHT = 200;
const EDGE = { top: 24, right: 16, bottom: 28, left: 8 };
/** Room for a label of an axis. */
const LABEL = 44;

export function TimingChart({ timing }: { timing: KernelTiming }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const { perSecond: ceiling } = ceilingOf(timing);
  const points = timing.sizes.map((size) => ({ at: size.at, rate: rateOf(timing, size) }));
  const [first, last] = [points[0]?.at ?? 1, points.at(-1)?.at ?? 1];
  const across = (at: number): number =>
    EDGE.left +
    LABEL / 2 +
    ((width - EDGE.left - EDGE.right - LABEL) * Math.log(at / first)) / Math.log(last / first || 1);
  const x = (at: number): number => (last > first ? across(at) : EDGE.left + LABEL / 2);
  const y = (rate: number): number => HEIGHT - EDGE.bottom - ((HEIGHT - EDGE.top - EDGE.bottom) * rate) / ceiling;
  const line = points.flatMap(({ at, rate }) => (rate === null ? [] : [`${x(at)},${y(rate)}`]));
  return (
    <div className="kernel-chart" ref={frame}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`Rate of ${timing.sweep} over ${timing.axis}, in numbers in the table below`}
        >
          <line className="kernel-axis" x1={0} x2={width} y1={y(0)} y2={y(0)} />
          <line className="kernel-ceiling" x1={0} x2={width} y1={y(ceiling)} y2={y(ceiling)} />
          <text x={0} y={y(ceiling) - 6}>
            ceiling {giga(ceiling)} {unitOf(timing)}
          </text>
          <polyline className="kernel-curve" points={line.join(' ')} />
          {points.map(({ at, rate }) => (
            <g key={at}>
              {rate === null ? (
                <circle className="kernel-skipped" cx={x(at)} cy={y(0)} r={4} />
              ) : (
                <circle className="kernel-point" cx={x(at)} cy={y(rate)} r={3.5} />
              )}
              <text x={x(at)} y={HEIGHT - 8} textAnchor="middle">
                {shortCount(at)}
              </text>
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
