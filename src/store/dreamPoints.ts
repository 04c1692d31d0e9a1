/** What a set of dreams comes to, for curves over the updates at which policies were asked to dream. */
import type { DreamView } from '../train/protocol';

/** Turns dreamed; as many as the episode has. */
export const HORIZONS = [1, 2, 4, 'end'] as const;

export interface DreamPoint {
  /** Updates the policies had had. */
  readonly update: number;
  readonly byArm: Readonly<Record<string, ArmDream>>;
}

export interface ArmDream {
  /** Share of answer tokens dreamed that many turns ahead which are the world's, by HORIZONS; NaN where there are none. */
  readonly agreement: readonly number[];
  /** As Dream.sensitivity. */
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
