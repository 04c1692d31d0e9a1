/** Speed of the kernel's operation over sizes, and its share of this device's ceiling. */

import { percent } from '../../../../foundation/percent';
import type { KernelDesk } from '../../../../store/desk/kernels';
import type { KernelText, KernelTiming } from '../../../../train/kernels/report';
import { Button } from '../../../kit/Button';
import { PlotPlace } from '../../../kit/plot/PlotPlace';
import { Row, Table } from '../../../kit/Table';
import { placeLink } from '../../../model/place';
import { useLabState } from '../../../model/useLab';
import { giga, milliseconds } from '../speed/benchmarkWords';
import { ceilingOf, rateOf, rateWords, shortCount, timingOf, unitOf } from './kernelWords';
import { Name } from './Name';
import { useKernels } from './useKernels';

export function Timing({ store, kernel }: { store: KernelDesk; kernel: KernelText }) {
  const timings = useKernels(store, (state) => state.timings);
  const busy = useKernels(store, (state) => state.work !== null);
  const training = useLabState(({ phase }) => phase === 'running' || phase === 'preparing');
  const timing = timingOf(kernel, timings);
  return (
    <section className="kernel-part shrinks ruled" aria-labelledby="kernel-timing">
      <div className="row tall">
        <h3 id="kernel-timing">Time over sizes</h3>
        {kernel.series !== null && (
          <Button data-testid="kernel-time" disabled={busy} onClick={() => store.time(kernel.name)}>
            {training ? 'Pause the run and measure' : timing === null ? 'Measure' : 'Measure again'}
          </Button>
        )}
      </div>
      {kernel.series === null ? (
        <p className="small soft measure above-4">
          <a href={placeLink('speed')}>Speed</a> times the operations of a training step.
        </p>
      ) : timing === null ? (
        <p className="small soft measure above-4">
          Times {kernel.series} over sizes, against matrix products and copies measured in the same run. Some ten
          seconds.
        </p>
      ) : (
        <Measured timing={timing} />
      )}
    </section>
  );
}

function Measured({ timing }: { timing: KernelTiming }) {
  const { series, axis, device, clock, sizes } = timing;
  const ceiling = ceilingOf(timing);
  const unit = unitOf(timing);
  const done = sizes.filter(({ seconds }) => seconds !== null);
  const best = Math.max(0, ...done.map((size) => rateOf(timing, size) ?? 0));
  const dispatched = [...new Set(done.map(({ kernels }) => kernels.join(', ')))];
  return (
    <>
      <p className="kernel-figure above-8" data-testid="kernel-timed" data-sizes={sizes.length}>
        {done.length === 0 ? (
          <span className="soft">The ceilings are known; sizes follow.</span>
        ) : (
          <>
            <b className="largest bold">{giga(best)}</b> {unit} at best, {percent(best / ceiling.perSecond)} of the
            ceiling
          </>
        )}
      </p>
      <TimingChart timing={timing} />
      <p className="small measure above-4">
        {series} over {axis}, on {device.description}. The ceiling is the best rate of this run:{' '}
        {giga(ceiling.perSecond)} {unit}, {ceiling.by}.{' '}
        {clock === 'timestamp queries' ? 'Timed by the device’s own timestamps' : 'Timed by the host’s clock'}; the best
        of several runs{timing.bound === 'memory' ? ', counting every number read or written once' : ''}.
        {dispatched.length === 1 && dispatched[0] !== '' && ` Every size dispatches ${dispatched[0]}.`}
        {device.software && device.kind === 'webgpu' && ' Software: nothing about GPUs follows from it.'}
      </p>
      <Table
        className="table-numbers full under-8 small"
        caption={`Times of ${series}`}
        columns={['Size', 'ms', unit, 'Of the ceiling']}
      >
        {sizes.map((size) => {
          const rate = rateOf(timing, size);
          return (
            <Row
              key={size.words}
              head={
                <>
                  {size.words}
                  {dispatched.length > 1 && size.kernels.length > 0 && (
                    <span className="soft block">
                      <Name name={size.kernels.join(', ')} />
                    </span>
                  )}
                </>
              }
            >
              {size.seconds === null || rate === null ? (
                <td colSpan={3}>Skipped: {size.skipped}</td>
              ) : (
                <>
                  <td>{milliseconds(size.seconds)}</td>
                  <td>{rateWords(timing, size)}</td>
                  <td>{percent(rate / ceiling.perSecond)}</td>
                </>
              )}
            </Row>
          );
        })}
      </Table>
    </>
  );
}

/** Pixels above the ceiling, for its name, and from it to its line. */
const [HEAD, ABOVE] = [24, 6];
/** Half a label of an axis, and more. */
const INSET = 30;

/** The rate over sizes under its ceiling; sizes on a logarithmic axis. The table under it says the same in numbers. */
function TimingChart({ timing }: { timing: KernelTiming }) {
  const { sizes, series, axis } = timing;
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
        title: `Rate of ${series} over ${axis}`,
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
