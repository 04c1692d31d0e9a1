/** A run's measurements as text for other programs: one row an arm, seed and update; what was not measured is empty or null. */
import type { Experiment } from '../../experiment/experiment';
import { METRICS } from '../../rl/metrics';
import type { MetricHistory } from '../../store/history';

export function dataCsv({ arms }: Experiment, history: MetricHistory): string {
  const rows = arms.flatMap(({ id }, arm) =>
    Array.from({ length: history.seeds }, (_, seed) =>
      Array.from({ length: history.count }, (_, update) => {
        const values = METRICS.map((metric) => history.at(update, arm, seed, metric));
        return [id, seed, update, ...values.map((value) => (Number.isFinite(value) ? value : ''))].join();
      }),
    ).flat(),
  );
  return `${[['arm', 'seed', 'update', ...METRICS].join(), ...rows].join('\n')}\n`;
}

export function dataJson(experiment: Experiment, history: MetricHistory): string {
  const arms = experiment.arms.map(({ id, name }, arm) => ({
    id,
    name,
    seeds: Array.from({ length: history.seeds }, (_, seed) => ({
      seed,
      curve: Object.fromEntries(
        METRICS.map((metric) => [
          metric,
          Array.from(history.curve(arm, seed, metric), (value) => (Number.isFinite(value) ? value : null)),
        ]),
      ),
    })),
  }));
  return JSON.stringify({ experiment, arms });
}
