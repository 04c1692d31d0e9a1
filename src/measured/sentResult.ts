/** A run's result for a link, and a link's result as curves behind the receiver's own. */

import {
  computedBy,
  Digest,
  judgeReproduction,
  type Reproduction,
  type SharedResult,
  writersOf,
} from '../experiment/conclude/result';
import { areaUnderCurve } from '../experiment/conclude/statistics';
import type { Experiment } from '../experiment/experiment';
import type { MachineEntry } from '../experiment/machines';
import { type Computed, standingHere } from '../experiment/provenance';
import { excerpt } from '../foundation/errors';
import { inSlices } from '../foundation/slices';
import type { MetricName } from '../rl/measure/metrics';
import { type Ghost, meanPoints } from './curves';
import type { MetricHistory } from './history';

const DRAWN = ['successRate', 'observationCrossEntropy'] as const;
export const DIGESTED = [...DRAWN, 'return'] as const satisfies readonly MetricName[];
/** Digits of a drawn point: more cannot be seen. */
const DIGITS = 3;

/** Result from elsewhere; only a run of the same experiment is judged against it. */
export interface Sent {
  readonly from: 'link' | 'file' | 'recording';
  readonly result: SharedResult;
  readonly experiment: Experiment;
  readonly ghost: Ghost;
}

/** Part of a result that this code is known not to compute to the same bits; null if there is none. */
export function otherPart(result: Pick<SharedResult, 'by'>): Computed | null {
  return computedBy(result).find((part) => standingHere(part) === 'other') ?? null;
}

/** Function that draws a run's result with at most `points` points. In slices, because a long run has many numbers. */
export async function resultOf(
  experiment: Experiment,
  history: MetricHistory,
  device: string,
  note = '',
  machines: readonly MachineEntry[] = [],
): Promise<(points: number) => SharedResult> {
  const { areas, digest } = await inSlices(summarise(history));
  const by = writersOf(machines);
  return (points) => ({ ...drawnResult(experiment, history, { device, note, areas, digest }, points), ...by });
}

interface Summary {
  readonly device: string;
  readonly note: string;
  /** Areas under the success curve, by arm and seed. */
  readonly areas: readonly (readonly (number | null)[])[];
  readonly digest: string;
}

function drawnResult(
  experiment: Experiment,
  history: MetricHistory,
  { device, note, areas, digest }: Summary,
  points: number,
): SharedResult {
  const lines = DRAWN.map((metric) => meanPoints(history, metric, points));
  return {
    updates: history.count,
    device: excerpt(device, 200),
    ...(note === '' ? {} : { note: excerpt(note, 500) }),
    digest,
    at: lines[0]?.map(({ update }) => update) ?? [],
    arms: experiment.arms.map(({ id, name }, arm) => {
      const [successRate = [], observationCrossEntropy = []] = lines.map((line) =>
        line.map(({ mean }) => {
          const value = mean[arm];
          return value == null ? null : Number(value.toPrecision(DIGITS));
        }),
      );
      return { id, name, area: [...(areas[arm] ?? [])], successRate, observationCrossEntropy };
    }),
  };
}

/** Numbers of a run that are judged: each seed's area under the success curve, and the digest. */
function* summarise(history: MetricHistory): Generator<void, Pick<Summary, 'areas' | 'digest'>> {
  const digest = new Digest();
  const areas: (number | null)[][] = [];
  for (let arm = 0; arm < history.arms; arm++) {
    areas.push([]);
    for (let seed = 0; seed < history.seeds; seed++) {
      areas[arm]?.push(areaUnderCurve(history.curve(arm, seed, 'successRate')));
      for (const metric of DIGESTED) {
        digest.add(history.curve(arm, seed, metric));
        yield;
      }
    }
  }
  return { areas, digest: digest.text };
}

export function ghostOf({ at, arms }: SharedResult, label: string): Ghost {
  return {
    label,
    arms,
    curves: {
      points(metric, { axis = 'updates', window = 1 }) {
        const drawn = DRAWN.find((one) => one === metric);
        const points = at.map((update, index) => ({
          update,
          at: arms.map(() => (axis === 'updates' ? update : null)),
          mean: arms.map((arm) => (drawn === undefined ? null : meanBefore(arm[drawn], { at, index, window }))),
          band: arms.map(() => null),
        }));
        return { points, width: 1, complete: true };
      },
      advance: () => true,
    },
  };
}

/** Updates that the last point of the curves is the mean of. */
export const lastStretch = ({ at }: Pick<SharedResult, 'at'>): number => (at.at(-1) ?? 0) - (at.at(-2) ?? -1);

/** Mean of the points whose updates lie in the window that ends at this one; null if none is measured. */
function meanBefore(
  line: readonly (number | null)[],
  { at, index, window }: { readonly at: readonly number[]; readonly index: number; readonly window: number },
): number | null {
  const end = at[index] ?? 0;
  const values = line.filter((_, other) => other <= index && (at[other] ?? 0) > end - window);
  const measured = values.filter((value) => value !== null);
  return measured.length === 0 ? null : measured.reduce((sum, value) => sum + value, 0) / measured.length;
}

/** Agreement of a run with the result; null for another experiment or another number of updates. */
export async function judge(sent: Sent, experiment: Experiment, history: MetricHistory): Promise<Reproduction | null> {
  if (history.count !== sent.result.updates) return null;
  if (JSON.stringify(sent.experiment) !== JSON.stringify(experiment)) return null;
  const summary = await inSlices(summarise(history));
  // So many points asked for at most, it is drawn at the same updates again.
  const ours = drawnResult(experiment, history, { ...summary, device: '', note: '' }, sent.result.at.length);
  return judgeReproduction(sent.result, ours);
}
