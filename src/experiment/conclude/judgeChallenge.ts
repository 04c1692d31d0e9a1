/** Judgement of a challenge by the numbers of a run: derived from its curves at every look, and kept nowhere. */
import type { ChallengeStep } from '../link/challenge';

export interface Judged {
  /** 'open' while it can still be met, 'missed' once it cannot. */
  readonly is: 'open' | 'met' | 'missed';
  /** Steps that are met, and the update in which the last of them was, counted from 1; 0 before the first. */
  readonly met: number;
  readonly at: number;
  /** Nearest that the next step came; null before anything could be told, or where there is none. */
  readonly best: number | null;
}

/**
 * `valueAt`: mean over the seeds of an update, from 0; NaN where nothing was measured. A step is met by the mean of `window`
 * updates, all of them after the one that met the step before it, so that luck in one update meets none.
 */
export function judgeChallenge(
  steps: readonly ChallengeStep[],
  valueAt: (step: ChallengeStep, update: number) => number,
  { count, isOver, window }: { readonly count: number; readonly isOver: boolean; readonly window: number },
): Judged {
  let at = 0;
  for (const [met, step] of steps.entries()) {
    const until = Math.min(count, step.within ?? count);
    const { update, best } = firstMet(step, (one) => valueAt(step, one), at, until, window);
    if (update === null) {
      const isLate = step.within !== null && count >= step.within;
      return { is: isOver || isLate ? 'missed' : 'open', met, at, best };
    }
    at = update;
  }
  return { is: 'met', met: steps.length, at, best: null };
}

/** The first window of the updates from … until − 1 whose mean meets a step: the number of its last update, from 1. */
function firstMet(
  { is, value }: ChallengeStep,
  valueAt: (update: number) => number,
  from: number,
  until: number,
  window: number,
): { update: number | null; best: number | null } {
  const nearer = (a: number, b: number): boolean => (is === 'above' ? a > b : a < b);
  const values: number[] = [];
  let [sum, best]: [number, number | null] = [0, null];
  for (let update = from; update < until; update++) {
    const measured = valueAt(update);
    if (Number.isNaN(measured)) continue;
    values.push(measured);
    sum += measured;
    if (values.length > window) sum -= values[values.length - 1 - window] ?? 0;
    if (values.length < window) continue;
    const mean = sum / window;
    if (nearer(mean, value)) return { update: update + 1, best: mean };
    if (best === null || nearer(mean, best)) best = mean;
  }
  return { update: null, best };
}
