/**
 * Result of a run from a file: what `lab run` and `lab merge` write, every seed's curves. The page shows it as it shows the
 * result behind a link: behind the receiver's own curves, and judged against them.
 */
import * as v from 'valibot';
import { MOST_POINTS, type SharedResult } from '../../experiment/conclude/result';
import type { Experiment } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { EXPERIMENT_TABLE, LIMITS } from '../../experiment/settings/tables';
import { LabError } from '../../foundation/errors';
import { isJson } from '../../foundation/json';
import { MetricHistory } from '../../measured/history';
import { DIGESTED, resultOf } from '../../measured/sentResult';
import { METRIC, METRICS } from '../../rl/measure/metrics';

const { seeds, updates } = EXPERIMENT_TABLE;

/** List of bounded length, counted before it is read: a file has room for millions. */
const list = <const S extends v.GenericSchema>(most: number, item: S) =>
  v.pipe(v.array(v.unknown()), v.maxLength(most), v.array(item));

const series = list(updates.max, v.nullable(v.number()));
/** The metrics that are drawn and digested. */
const CurveSchema = v.object({ successRate: series, observationCrossEntropy: series, return: series });

const RunSchema = v.object({
  adapter: v.string(),
  note: v.optional(v.string(), ''),
  arms: list(LIMITS.arms, v.object({ id: v.string(), seeds: list(seeds.max, v.object({ curve: CurveSchema })) })),
});

/** Experiment and machines of a run's result; null for any other value, such as an experiment alone. */
export function experimentOfRun(value: unknown): object | null {
  if (!isJson(value) || !('experiment' in value) || !('arms' in value)) return null;
  const { experiment } = value;
  if (!isJson(experiment)) return null;
  return 'machines' in value ? { ...experiment, machines: value.machines } : experiment;
}

/** 256 MiB: a file of a few characters a number can name more than the page has room for. */
const MOST_NUMBERS = 2 ** 26;

const ADVICE = 'Open what `lab run --json` or `lab merge` wrote; shards are merged first.';

/** Throws LabError 'invalid-experiment' where the file does not hold every member of the experiment. */
export async function runOfFile(
  value: unknown,
  experiment: Experiment,
  machines: readonly MachineEntry[] = [],
): Promise<SharedResult> {
  const parsed = v.safeParse(RunSchema, value, { abortEarly: true });
  if (!parsed.success) throw new LabError('invalid-experiment', 'Its curves cannot be read.', ADVICE);
  const { adapter, note, arms } = parsed.output;
  const isWhole =
    arms.map(({ id }) => id).join() === experiment.arms.map(({ id }) => id).join() &&
    arms.every(({ seeds }) => seeds.length === experiment.seeds);
  if (!isWhole) throw new LabError('invalid-experiment', 'It holds a share of the run’s members.', ADVICE);
  const curves = arms.flatMap(({ seeds }) => seeds.map(({ curve }) => curve));
  const updates = curves[0]?.successRate.length ?? 0;
  const isEven = curves.every((curve) => DIGESTED.every((metric) => curve[metric].length === updates));
  if (!isEven || updates > experiment.updates) {
    throw new LabError('invalid-experiment', 'Its curves are not of the same updates.', ADVICE);
  }
  const numbers = updates * curves.length * METRICS.length;
  if (numbers > MOST_NUMBERS) {
    throw new LabError(
      'limits',
      `Its ${updates} updates of ${curves.length} members are more than the page can draw.`,
      'Open its experiment alone, or a run of fewer updates.',
    );
  }
  const values = new Float32Array(numbers).fill(Number.NaN);
  for (const [member, curve] of curves.entries()) {
    for (const metric of DIGESTED) {
      for (const [update, measured] of curve[metric].entries()) {
        if (measured === null) continue;
        values[(update * curves.length + member) * METRICS.length + METRIC[metric]] = measured;
      }
    }
  }
  const untimed = new Float32Array(updates).fill(Number.NaN);
  const history = MetricHistory.of(experiment.arms.length, experiment.seeds, values, untimed);
  return (await resultOf(experiment, history, adapter, note, machines))(MOST_POINTS);
}
