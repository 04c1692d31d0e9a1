/** A recorded run gone through before anything runs: its curves up to an update, and its episodes there. */
import type { SharedResult } from '../../experiment/conclude/result';
import { ghostOf } from '../../measured/sentResult';
import type { LabStore } from '../lab';

/** The result after so many updates. */
export function resultUntil(result: SharedResult, updates: number): SharedResult {
  const points = result.at.filter((at) => at < updates).length;
  return {
    ...result,
    at: result.at.slice(0, points),
    arms: result.arms.map((arm) => ({
      ...arm,
      successRate: arm.successRate.slice(0, points),
      observationCrossEntropy: arm.observationCrossEntropy.slice(0, points),
    })),
  };
}

/** Success of each arm at an update, by its id: the last point until then; null before the first. */
export function successAt({ at, arms }: SharedResult, update: number): ReadonlyMap<string, number | null> {
  const point = at.findLastIndex((one) => one < update);
  return new Map(arms.map(({ id, successRate }) => [id, successRate[point] ?? null]));
}

/** Draws the recording’s curves up to an update behind the charts; all of them from its end on. */
export function drawRecordedUntil(store: LabStore, updates: number): void {
  const { sent } = store.getState();
  if (sent?.from !== 'recording') return;
  const isWhole = updates >= sent.result.updates;
  store.setState({ ghost: isWhole ? sent.ghost : ghostOf(resultUntil(sent.result, updates), sent.ghost.label) });
}
