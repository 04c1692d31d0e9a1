/** Note under a drawing: what it leaves out or hides. */
import { bandInWords } from '../../../../measured/curves';
import { formatMeasured, joinNames } from '../../../kit/format';
import { NOTES } from '../progress';
import type { ChartDrawing } from './drawing';
import { armsAbove } from './scale';

/** Facts said elsewhere: updates that a point is the mean of, and, where `seeds` is null, what the bands are. */
export interface SaidElsewhere {
  readonly smoothing: number;
  readonly seeds: number | null;
}

export function noteOf(drawing: ChartDrawing, { smoothing, seeds }: SaidElsewhere): string {
  const { arms, points, axis, width, floors, horizontal, reference } = drawing;
  const gone = armsAbove(points, axis).map(({ arm, value }) => `${arms[arm]?.name ?? ''} at ${formatMeasured(value)}`);
  return [
    NOTES[horizontal.over],
    reference?.note ?? '',
    floors.length > 0 ? 'Thin line: the least possible, noise that nobody can predict.' : '',
    gone.length > 0 ? `Above the chart: ${joinNames(gone)}.` : '',
    seeds === null || points.length === 0 ? '' : bandInWords(seeds),
    width > smoothing ? `Each point is the mean of ${width} updates: more than chosen, to fit so long a run.` : '',
    ghostNote(drawing),
  ]
    .filter((words) => words !== '')
    .join(' ');
}

function ghostNote({ ghost, arms, points: own }: ChartDrawing): string {
  if (ghost === null || ghost.points.every(({ mean }) => mean.every((value) => value === null))) return '';
  const { label, lines, points } = ghost;
  if (points.every(({ at }) => at.every((place) => place === null))) {
    return `The dotted curves, ${label}, are known over updates only.`;
  }
  const same = lines.flatMap(({ own: arm, isSame }) => (isSame ? [arms[arm]?.name ?? ''] : []));
  const unrun = arms.filter((_, arm) => own.length === 0 && lines.every((line) => line.own !== arm));
  const waits = unrun.length === 0 ? '' : ` No curve yet: ${joinNames(unrun.map(({ name }) => name))}.`;
  if (same.length === 0) return `Dotted: ${label}.${waits}`;
  const which = same.length === arms.length ? 'every line' : joinNames(same);
  return `Perforated (${which}): the curve behind, ${label}, is the same.`;
}
