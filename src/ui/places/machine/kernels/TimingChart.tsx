/** The rate over sizes under its ceiling; sizes on a logarithmic axis. The table under it says the same in numbers. */
import type { KernelTiming } from '../../../../train/kernels/report';
import { PlotPlace } from '../../../kit/plot/PlotPlace';
import { giga } from '../speed/benchmarkWords';
import { ceilingOf, rateOf, shortCount, unitOf } from './kernelWords';

/** Pixels above the ceiling, for its name, and from it to its line. */
const [HEAD, ABOVE] = [24, 6];
/** Half a label of an axis, and more. */
const INSET = 30;

export function TimingChart({ timing }: { timing: KernelTiming }) {
  const { sizes, sweep, axis } = timing;
  const { perSecond: ceiling } = ceilingOf(timing);
  const unit = unitOf(timing);
  const places = sizes.map(({ at }) => at);
  const [first = 1, last = 1] = [places[0], places.at(-1)];
  const measured = sizes.flatMap((size) => {
    const value = rateOf(timing, size);
    return value === null ? [] : [{ at: size.at, value }];
  });
  const skipped = sizes.flatMap(({ at, words, skipped: why, seconds }) =>
    seconds === null
      ? [{ at, value: 0, colour: 'var(--ink)', words: `Skipped: ${why}`, title: `${words}: ${why}` }]
      : [],
  );
  return (
    <PlotPlace
      className="plot-thin under-8"
      height={200}
      plot={{
        title: `Rate of ${sweep} over ${axis}`,
        description: 'In numbers in the table below.',
        head: HEAD,
        room: 0,
        across: {
          domain: [first, Math.max(last, 2 * first)],
          ticks: places,
          log: true,
          inset: INSET,
          write: shortCount,
          words: (at) => sizes.find((size) => size.at === at)?.words ?? '',
        },
        up: { domain: [0, ceiling], ticks: [], write: String },
        series: [{ id: 'rate', name: 'rate', kind: 'mean', colour: 'var(--ink)', points: measured, hasDots: true }],
        reference: { value: ceiling, name: '' },
        marks: skipped,
        format: (rate) => `${giga(rate)} ${unit}`,
        over: ({ area, toY }) => (
          <text className="plot-tick" x={area.x} y={toY(ceiling) - ABOVE}>
            ceiling {giga(ceiling)} {unit}
          </text>
        ),
      }}
    />
  );
}
