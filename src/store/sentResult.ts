/** A run's result as it travels with a link, and as curves behind the receiver's own. */
import type { Experiment } from '../experiment/experiment';
import { digestOf, judgeReproduction, type Reproduction, type SharedResult } from '../experiment/result';
import { areaUnderCurve } from '../experiment/statistics';
import type { MetricName } from '../rl/metrics';
import { meanPoints } from './curves';
import type { MetricHistory } from './history';
import type { Ghost } from './lab';

const DRAWN = ['successRate', 'observationCrossEntropy'] as const;
const DIGESTED: readonly MetricName[] = [...DRAWN, 'return'];
/** Digits of a drawn point: no eye sees more. */
const DIGITS = 3;

/** A result that came from elsewhere: it is judged against a run of the same experiment only. */
export interface Sent {
  readonly from: 'link' | 'recording';
  readonly result: SharedResult;
  readonly experiment: Experiment;
  readonly ghost: Ghost;
}

export function resultOf(experiment: Experiment, history: MetricHistory, device: string, points: number): SharedResult {
  const lines = DRAWN.map((metric) => meanPoints(history, metric, points));
  return {
    updates: history.count,
    device: device.slice(0, 200),
    digest: digestOfRun(history),
    at: lines[0]?.map(({ update }) => update) ?? [],
    arms: experiment.arms.map(({ id, name }, arm) => {
      const [successRate = [], observationCrossEntropy = []] = lines.map((line) =>
        line.map(({ mean }) => {
          const value = mean[arm];
          return value == null ? null : Number(value.toPrecision(DIGITS));
        }),
      );
      return { id, name, area: areasOf(history, arm), successRate, observationCrossEntropy };
    }),
  };
}

const areasOf = (history: MetricHistory, arm: number): (number | null)[] =>
  Array.from({ length: history.seeds }, (_, seed) => areaUnderCurve(history.curve(arm, seed, 'successRate')));

function digestOfRun(history: MetricHistory): string {
  const members = Array.from({ length: history.arms * history.seeds }, (_, member) => member);
  return digestOf(
    members.flatMap((member) =>
      DIGESTED.map((metric) => history.curve(Math.floor(member / history.seeds), member % history.seeds, metric)),
    ),
  );
}

export function ghostOf({ at, arms }: SharedResult, label: string): Ghost {
  return {
    label,
    arms,
    curves: {
      points(metric, _limit, axis) {
        const drawn = DRAWN.find((one) => one === metric);
        const points = at.map((update, index) => ({
          update,
          at: arms.map(() => (axis === 'updates' ? update : null)),
          mean: arms.map((arm) => (drawn === undefined ? null : (arm[drawn][index] ?? null))),
          band: arms.map(() => null),
        }));
        return { points, every: 1, complete: true };
      },
      advance: () => true,
    },
  };
}

/** null while there is nothing to judge: another experiment, or not as many updates. */
export function judge(sent: Sent | null, experiment: Experiment, history: MetricHistory): Reproduction | null {
  if (sent === null || history.count !== sent.result.updates) return null;
  if (JSON.stringify(sent.experiment) !== JSON.stringify(experiment)) return null;
  const areas = experiment.arms.map((_, arm) => areasOf(history, arm));
  return judgeReproduction(sent.result, digestOfRun(history), areas);
}
