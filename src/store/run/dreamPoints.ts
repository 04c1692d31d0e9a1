/** Summary of a set of dreams, a point of curves over the updates at which policies dreamed. */
import type { DreamView } from '../../train/looks/shown';

/** Numbers of turns dreamed; `end`: to the end of the episode. */
export const HORIZONS = [1, 2, 4, 'end'] as const;

export interface DreamPoint {
  /** Updates that the policies had been trained for. */
  readonly update: number;
  readonly byArm: Readonly<Record<string, ArmDream>>;
}

export interface ArmDream {
  /** Share of dreamed answer tokens that equal the world's, by HORIZONS; NaN if no answer was dreamed so far ahead. */
  readonly agreement: readonly number[];
  /** Sensitivity of the dream (Dream.sensitivity). */
  readonly sensitivity: number;
}

export function dreamPoint(update: number, dreams: readonly DreamView[]): DreamPoint {
  return { update, byArm: Object.fromEntries(dreams.map((dream) => [dream.arm, armDream(dream)])) };
}

function armDream({ dreamed, agreed, sensitivity }: DreamView): ArmDream {
  const agreement = HORIZONS.map((turns) => {
    const at = (turns === 'end' ? dreamed.length : turns) - 1;
    return (agreed[at] ?? Number.NaN) / (dreamed[at] ?? 0);
  });
  return { agreement, sensitivity };
}
