/**
 * A run's measurements as text for other programs: one row an arm, seed and update; what was not measured is empty or null.
 * Told piece by piece, because a long run has millions of numbers.
 */
import type { Experiment } from '../../../experiment/experiment';
import type { MachineEntry } from '../../../experiment/machines';
import type { MetricHistory } from '../../../measured/history';
import { Progress } from '../../../measured/progress';
import { METRICS, type MetricName } from '../../../rl/measure/metrics';
import { WARM_START_METRICS } from '../../../rl/measure/warmStartReadings';
import type { RunLooks } from '../../../store/run/looks';

/** `tokens` and `seconds` are the arm's as the update began. */
export function* dataCsv(
  experiment: Experiment,
  history: MetricHistory,
  metrics: readonly MetricName[] = METRICS,
): Generator<string> {
  const progress = new Progress(history, experiment);
  yield `${['arm', 'seed', 'update', 'tokens', 'seconds', ...metrics].join()}\n`;
  for (const [arm, { id }] of experiment.arms.entries()) {
    for (let seed = 0; seed < history.seeds; seed++) {
      for (let update = 0; update < history.count; update++) {
        const places = [progress.at('tokens', update, arm), progress.at('seconds', update, arm)];
        const values = metrics.map((metric) => history.at(update, arm, seed, metric));
        const written = [...places.map((place) => place ?? Number.NaN), ...values].map((value) =>
          Number.isFinite(value) ? value : '',
        );
        yield `${[id, seed, update, ...written].join()}\n`;
      }
    }
  }
}

/** The machines and the code it ran on, and its owner's words. */
export interface RunAbout {
  readonly adapter: string;
  readonly machines: readonly MachineEntry[];
  readonly note: string;
}

/**
 * Measured data as JSON, piece by piece, with these keys:
 *   adapter, machines, note  where it is `about` a whole run
 *   experiment
 *   seconds                  […], those that each update took
 *   arms                     [{id, name, seeds: [{seed, curve: {metric: […]}}]}]
 *   probes                   [{update, members: [{arm, seed, probes}]}], as `lab run --probe` has them, where somebody looked
 *   dreams                   [{update, byArm}], likewise
 */
export function* dataJson(
  experiment: Experiment,
  history: MetricHistory,
  metrics: readonly MetricName[] = METRICS,
  looks: RunLooks | null = null,
  about: RunAbout | null = null,
): Generator<string> {
  if (about !== null) yield `${JSON.stringify(about).slice(0, -1)},`;
  yield `${about === null ? '{' : ''}"experiment":${JSON.stringify(experiment)},"seconds":${writeNumbers(history.seconds())},"arms":[`;
  for (const [arm, { id, name }] of experiment.arms.entries()) {
    yield `${arm === 0 ? '' : ','}{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"seeds":[`;
    for (let seed = 0; seed < history.seeds; seed++) {
      yield `${seed === 0 ? '' : ','}{"seed":${seed},"curve":{`;
      for (const [index, metric] of metrics.entries()) {
        yield `${index === 0 ? '' : ','}"${metric}":${writeNumbers(history.curve(arm, seed, metric))}`;
      }
      yield '}}';
    }
    yield ']}';
  }
  yield ']';
  // NaN becomes null.
  if (looks !== null && looks.probed.length > 0) yield `,"probes":${JSON.stringify(looks.probed)}`;
  if (looks !== null && looks.dreamPoints.length > 0) yield `,"dreams":${JSON.stringify(looks.dreamPoints)}`;
  if (looks !== null && looks.warmStart.length > 0)
    yield `,"warmStart":${JSON.stringify({ metrics: WARM_START_METRICS, readings: looks.warmStart })}`;
  yield '}';
}

const writeNumbers = (values: Float32Array): string =>
  JSON.stringify(Array.from(values, (value) => (Number.isFinite(value) ? value : null)));
