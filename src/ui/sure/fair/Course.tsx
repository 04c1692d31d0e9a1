/** Numbers in their order as a small line, with the first and the last in figures; all of them for those who listen. */
import { HIDDEN } from '../../kit/Table';

const WIDTH = 96;
const HEIGHT = 20;
const ROOM = 2;

interface Props {
  readonly values: readonly number[];
  /** Value at the line's upper edge; the lower is 0. */
  readonly most: number;
  readonly write: (value: number) => string;
}

export function Course({ values, most, write }: Props) {
  const across = (WIDTH - 2 * ROOM) / Math.max(1, values.length - 1);
  const points = values.map((value, at) => {
    const up = Math.min(1, value / most) * (HEIGHT - 2 * ROOM);
    return `${(ROOM + at * across).toFixed(1)},${(HEIGHT - ROOM - up).toFixed(1)}`;
  });
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return (
    <span className="fair-course" title={values.map(write).join(', ')}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
      <span aria-hidden="true">
        {write(first)} → {write(last)}
      </span>
      <span className={HIDDEN}>{values.map(write).join(', ')}</span>
    </span>
  );
}
