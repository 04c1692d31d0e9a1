/** What a drawing leaves out or hides, said under it. */
import { bandInWords, type CurvePoint } from '../../store/curves';
import type { Ghost } from '../../store/lab';
import type { ProgressAxis } from '../../store/preferences';
import { formatMeasured, joinNames } from '../format';
import { coincides } from './coincidence';
import type { PlottedArm } from './Plot';
import { NOTES } from './progress';
import type { armsAbove, ValueAxis } from './scale';

interface Drawing {
  readonly above: ReturnType<typeof armsAbove>;
  readonly arms: readonly PlottedArm[];
  /** Updates that a point is the mean of, and what is said of that elsewhere. */
  readonly width: number;
  readonly said: number;
  readonly over: ProgressAxis;
  readonly points: readonly CurvePoint[];
  readonly ghost: Ghost | null;
  /** The ghost's. */
  readonly behind: readonly CurvePoint[];
  readonly axis: ValueAxis;
  readonly hasFloor: boolean;
  /** null where it is said elsewhere what the bands are. */
  readonly seeds: number | null;
}

export function noteOf({
  above,
  arms,
  width,
  said,
  over,
  points,
  ghost,
  behind,
  axis,
  hasFloor,
  seeds,
}: Drawing): string {
  const gone = above.map(({ arm, value }) => `${arms[arm]?.name ?? ''} at ${formatMeasured(value)}`);
  return [
    NOTES[over],
    hasFloor ? 'Thin: what nobody could foresee.' : '',
    gone.length > 0 ? `Above the chart: ${joinNames(gone)}.` : '',
    seeds === null || points.length === 0 ? '' : bandInWords(seeds),
    width > said ? `Each point is the mean of ${width} updates.` : '',
    ghost === null ? '' : ghostNote(ghost, { arms, points, behind, axis }),
  ]
    .filter((words) => words !== '')
    .join(' ');
}

function ghostNote(
  { label, arms: theirs }: Ghost,
  { arms, points, behind, axis }: Pick<Drawing, 'arms' | 'points' | 'behind' | 'axis'>,
): string {
  if (behind.every(({ mean }) => mean.every((value) => value === null))) return '';
  if (behind.every(({ at }) => at.every((place) => place === null))) {
    return `The dotted curves, ${label}, are known over updates only.`;
  }
  const same = theirs.flatMap(({ id }, index) => {
    const own = arms.findIndex((arm) => arm.id === id);
    const hidden = own >= 0 && coincides({ points: behind, arm: index }, { points, arm: own }, axis.domain);
    return hidden ? [arms[own]?.name ?? ''] : [];
  });
  if (same.length === 0) return `Dotted: ${label}.`;
  const which = same.length === arms.length ? 'every line' : joinNames(same);
  return `Perforated (${which}): the curve behind, ${label}, is the same.`;
}
